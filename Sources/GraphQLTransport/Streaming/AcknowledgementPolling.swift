import NIOCore

/// The waits between two checks that the client of an HTTP stream has received everything. Such a client sends nothing
/// itself, so the proof is that its TCP has acknowledged all bytes. A client that is gone or does not read
/// acknowledges no more than fits its receive window. Behind a proxy, the acknowledgement is the proxy's.
struct AcknowledgementPolling {
    private static let lastWait = TimeAmount.seconds(8)

    private var wait = TimeAmount.milliseconds(50)

    /// Each wait is twice as long as the one before, up to `lastWait`.
    mutating func nextWait() -> TimeAmount {
        defer { wait = min(wait * 2, Self.lastWait) }
        return wait
    }
}

extension Channel {
    /// True where the peer's TCP has acknowledged everything that was written; false where this is unknown.
    func isAcknowledged() -> EventLoopFuture<Bool> {
        guard let provider = self as? any SocketOptionProvider,
            let buffered = try? syncOptions?.getOption(.bufferedWritableBytes), buffered == 0
        else { return eventLoop.makeSucceededFuture(false) }
        let state: EventLoopFuture<TransmissionState> = provider.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
        return state.map { $0.unacknowledgedSegments == 0 && $0.unsentBytes == 0 }
    }
}

/// The beginning of `struct tcp_info`. Fields that an older kernel lacks are zero.
/// Source: linux/tcp.h
private struct TransmissionState: Sendable {
    private let words: InlineArray<37, UInt32>

    var unacknowledgedSegments: UInt32 { words[6] }
    var unsentBytes: UInt32 { words[36] }
}
