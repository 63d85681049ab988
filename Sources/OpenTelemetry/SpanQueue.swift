import Synchronization

/// The spans that wait to be exported. A span for which there is no room is dropped and counted, so that tracing never
/// holds up a request.
public final class SpanQueue: Sendable {
    /// The default of `OTEL_BSP_MAX_QUEUE_SIZE` in OpenTelemetry's specification.
    public static let capacity = 2048

    private struct State {
        var spans: [FinishedSpan] = []
        var dropped = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    public init(capacity: Int = SpanQueue.capacity) { self.capacity = capacity }

    public var count: Int { state.withLock { $0.spans.count } }
    /// The number of spans for which there was no room.
    public var dropped: Int { state.withLock { $0.dropped } }

    func append(_ span: FinishedSpan) {
        state.withLock { state in
            if state.spans.count < capacity { state.spans.append(span) } else { state.dropped += 1 }
        }
    }

    /// Removes the oldest spans.
    func take(atMost count: Int) -> [FinishedSpan] {
        state.withLock { state in
            let taken = Array(state.spans.prefix(count))
            state.spans.removeFirst(taken.count)
            return taken
        }
    }
}
