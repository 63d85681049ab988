import NIOCore

/// When to look whether the client of a stream, which says nothing itself, has what was written to it: its TCP has
/// acknowledged everything. A client that is gone or does not read acknowledges nothing, or no more than fits its window.
/// Behind a proxy it is the proxy that acknowledges.
struct ReceiptWatch {
    private static let lastWait = TimeAmount.seconds(8)

    private var wait = TimeAmount.milliseconds(50)

    /// Each wait is twice as long as the one before.
    mutating func nextWait() -> TimeAmount {
        defer { wait = min(wait * 2, Self.lastWait) }
        return wait
    }
}

extension Channel {
    /// Whether the peer's TCP has everything that was written; false where that cannot be told.
    func isAcknowledged() -> EventLoopFuture<Bool> {
        guard let provider = self as? any SocketOptionProvider,
            let buffered = try? syncOptions?.getOption(.bufferedWritableBytes), buffered == 0
        else { return eventLoop.makeSucceededFuture(false) }
        let state: EventLoopFuture<TransmissionState> = provider.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
        return state.map { $0.unacknowledgedSegments == 0 && $0.unsentBytes == 0 }
    }
}

/// The beginning of `struct tcp_info`; zero in what an older kernel does not know.
/// Source: linux/tcp.h
private struct TransmissionState: Sendable {
    private let words: InlineArray<37, UInt32>

    var unacknowledgedSegments: UInt32 { words[6] }
    var unsentBytes: UInt32 { words[36] }
}
