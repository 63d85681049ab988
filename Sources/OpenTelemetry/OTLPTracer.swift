import Synchronization
import Tracing
import W3CTraceContext

/// Makes spans that go to a queue when they end.
public struct OTLPTracer: Tracer {
    private let queue: SpanQueue

    public init(_ queue: SpanQueue) { self.queue = queue }

    public func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> OTLPSpan {
        OTLPSpan(
            operationName, in: context(), kind: kind, startedAt: instant().nanosecondsSinceEpoch, queue: queue)
    }

    public func activeSpan(identifiedBy context: InstrumentationContext) -> OTLPSpan? { nil }

    /// Does nothing: `SpanExporter` takes the spans from the queue.
    public func forceFlush() {}

    /// W3C Trace Context, 3.2 Traceparent Header
    public func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let text = extractor.extract(key: "traceparent", from: carrier),
            let caller = TraceContext(traceparent: text)
        else { return }
        context.span = SpanIdentity(caller)
    }

    public func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let span = context.span else { return }
        injector.inject("00-\(span.traceID)-\(span.spanID)-01", forKey: "traceparent", into: &carrier)
    }
}

/// A span of a sampled trace. It goes to the queue when it ends.
public final class OTLPSpan: Span {
    private struct State {
        var name: String
        var attributes = SpanAttributes()
        var status: SpanStatus?
        var events: [SpanEvent] = []
        var links: [SpanLink] = []
        var hasEnded = false
    }

    public let context: InstrumentationContext
    private let identity: SpanIdentity
    private let parent: SpanIdentity?
    private let kind: SpanKind
    private let startedAt: UInt64
    private let queue: SpanQueue
    private let state: Mutex<State>

    fileprivate init(
        _ name: String, in context: InstrumentationContext, kind: SpanKind, startedAt: UInt64, queue: SpanQueue
    ) {
        let parent = context.span
        let identity = context.chosenSpan ?? SpanIdentity(childOf: parent)
        var inside = context
        inside.chosenSpan = nil
        inside.span = identity
        self.context = inside
        self.identity = identity
        self.parent = parent
        self.kind = kind
        self.startedAt = startedAt
        self.queue = queue
        state = Mutex(State(name: name))
    }

    public var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    public var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    public var isRecording: Bool { state.withLock { !$0.hasEnded } }

    public func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }

    public func addEvent(_ event: SpanEvent) { state.withLock { $0.events.append(event) } }

    public func addLink(_ link: SpanLink) { state.withLock { $0.links.append(link) } }

    /// OpenTelemetry semantic conventions, "Exceptions on spans". The type alone is recorded: the description of an
    /// error may quote a value.
    public func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        var attributes = attributes
        attributes["exception.type"] = String(reflecting: type(of: error))
        addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
    }

    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let state = state.withLock { state -> State? in
            if state.hasEnded { return nil }
            state.hasEnded = true
            return state
        }
        guard let state else { return }
        queue.append(
            FinishedSpan(
                identity: identity, parent: parent, name: state.name, kind: kind, startedAt: startedAt,
                endedAt: max(startedAt, instant().nanosecondsSinceEpoch), attributes: state.attributes,
                status: state.status, events: state.events, links: state.links))
    }
}

/// A span that has ended, and waits to be exported. The times are in nanoseconds since 1970.
struct FinishedSpan: Sendable {
    let identity: SpanIdentity
    let parent: SpanIdentity?
    let name: String
    let kind: SpanKind
    let startedAt: UInt64
    let endedAt: UInt64
    var attributes = SpanAttributes()
    var status: SpanStatus?
    var events: [SpanEvent] = []
    var links: [SpanLink] = []
}

private enum ChosenSpanKey: InstrumentationContextKey {
    typealias Value = SpanIdentity
}

extension InstrumentationContext {
    /// The IDs for the next span; nil where the tracer chooses them. They are set where log entries have to name the
    /// span before it is made.
    public var chosenSpan: SpanIdentity? {
        get { self[ChosenSpanKey.self] }
        set { self[ChosenSpanKey.self] = newValue }
    }
}
