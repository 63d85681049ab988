import NIOCore

/// A pool's connection on its event loop: it reads from the socket what `PipelineConnection` interprets, and writes
/// what that wants to send. To be used on that event loop only.
final class PooledChannel: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let lease: Lease
    var connection: PipelineConnection
    private let driver: PoolDriver
    private let session: LibpqSession
    private var context: ChannelHandlerContext?
    /// The start of a message whose rest has not arrived.
    private var remainder = ByteBuffer()
    private var completed: [Request] = []
    private(set) var isInactive = false
    /// The requests of this tick, which have not been written yet.
    private var unsent: [Request] = []

    init(_ session: LibpqSession, lease: Lease, driver: PoolDriver, now: Instant) {
        self.session = session
        self.lease = lease
        self.driver = driver
        connection = PipelineConnection(now: now)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// - Returns: whether a flush is to be scheduled, because this request is the first of the tick.
    func send(_ request: Request, now: Instant) -> Bool {
        connection.send(request, now: now)
        unsent.append(request)
        return unsent.count == 1
    }

    /// Writes what the requests of this tick send. Where the socket has been closed, they are sent elsewhere once the
    /// channel is told so.
    func flush() {
        guard !connection.outbound.isEmpty, let context, context.channel.isActive else { return }
        unsent.removeAll(keepingCapacity: true)
        context.writeAndFlush(wrapOutboundOut(connection.outbound.bytes), promise: nil)
        connection.outbound.removeAll()
    }

    /// Removes and returns the requests in flight, apart from those of which nothing has been written.
    func abandon() -> (lost: [Request], unsent: [Request]) {
        let unsent = self.unsent
        self.unsent = []
        let lost = connection.abandon().filter { request in !unsent.contains { $0 === request } }
        return (lost, unsent)
    }

    func close() { context?.close(promise: nil) }

    // MARK: Events

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if remainder.readableBytes > 0 {
            remainder.writeBuffer(&bytes)
            receive(&remainder)
            if remainder.readableBytes == 0 { remainder = ByteBuffer() } else { remainder.discardReadBytes() }
        } else {
            receive(&bytes)
            if bytes.readableBytes > 0 { remainder = ByteBuffer(buffer: bytes) }
        }
    }

    private func receive(_ bytes: inout ByteBuffer) {
        let now = Instant.now()
        let count = bytes.withUnsafeReadableBytes { connection.receive($0, now: now, completed: &completed) }
        if let count {
            bytes.moveReaderIndex(forwardBy: count)
        } else {
            bytes.clear()
            close()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { deliver() }

    /// Hands over the requests whose answers have been read, and sends segments that are to be sent again.
    private func deliver() {
        if !completed.isEmpty {
            driver.answered(completed, on: lease, now: .now())
            completed.removeAll(keepingCapacity: true)
        }
        flush()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isInactive = true
        deliver()
        driver.ended(self, now: .now())
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
