import NIOCore

/// Proves that the client of a stream, which says nothing itself, has what was written to it: its TCP has acknowledged
/// everything. A client that is gone or does not read acknowledges nothing, or no more than fits its window. Behind a
/// proxy it is the proxy that acknowledges.
extension HTTPConnection {
    private static var firstLook: TimeAmount { .milliseconds(50) }
    private static var lastWait: TimeAmount { .seconds(8) }

    func awaitReceipts(_ stream: HTTPStream, _ context: ChannelHandlerContext) {
        guard !stream.isAwaitingReceipts, stream.queue.hasReceipts else { return }
        stream.isAwaitingReceipts = true
        lookForReceipts(of: stream, in: Self.firstLook, context.eventLoop)
    }

    private func lookForReceipts(of stream: HTTPStream, in wait: TimeAmount, _ eventLoop: any EventLoop) {
        let bound = NIOLoopBound((self, stream), eventLoop: eventLoop)
        eventLoop.scheduleTask(in: wait) {
            let (connection, stream) = bound.value
            guard connection.stream === stream, let channel = connection.context?.channel else { return }
            channel.isAcknowledged().whenComplete { result in
                let (connection, stream) = bound.value
                guard connection.stream === stream else { return }
                if case .success(true) = result {
                    for onReceipt in stream.queue.takeReceipts() { onReceipt() }
                }
                if stream.queue.hasReceipts {
                    connection.lookForReceipts(of: stream, in: min(wait * 2, Self.lastWait), eventLoop)
                } else {
                    stream.isAwaitingReceipts = false
                }
            }
        }
    }
}

extension Channel {
    /// Whether the peer's TCP has everything that was written; false where that cannot be told.
    fileprivate func isAcknowledged() -> EventLoopFuture<Bool> {
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
