import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import Synchronization

/// Sets up the pipeline of an accepted connection: `RequestFraming`, the decoder and `HTTPConnection`. The first request to
/// the router starts the router's task.
struct HTTPConnectionChannel: ServerChildChannel, HTTPChannelHandler {
    typealias RoutedChannel = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let router: RouterTask
        /// Succeeds when the connection and the router's task have ended, or the connection is upgraded.
        let isOver: EventLoopFuture<Void>
    }

    let responder: HTTPChannelHandler.Responder
    let environment: TransportEnvironment

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let isOver = channel.eventLoop.makePromise(of: Void.self)
            let router = RouterTask()
            channel.closeFuture.whenComplete { _ in
                if !router.hasBegun { isOver.succeed() }
            }
            let connection = HTTPConnection(
                environment, place: environment.connections.enter(channel),
                attachRouter: { context in
                    let routed = try RoutedChannel(
                        wrappingChannelSynchronously: context.channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                    // Not in `handle`: the server drops a connection that it accepts in the moment in which it stops
                    // listening, without a call of `handle`. Its requests are answered all the same.
                    router.begin {
                        await handleHTTP(asyncChannel: routed, logger: logger)
                        isOver.succeed()
                    }
                },
                onUpgrade: { [upgraded = environment.upgraded] channel in
                    upgraded.add(channel)
                    isOver.succeed()
                })
            // Most reads are small: the receive buffer begins small, and grows with the reads.
            try channel.syncOptions?.setOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 65_536))
            let limits = environment.settings.limits
            var decoding = NIOHTTPDecoderLimitConfiguration()
            decoding.maxHeaderFieldSize = limits.headerSize
            decoding.maxHeaderListSize = limits.headerSize
            decoding.maxHeaderFieldCount = limits.headerCount
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(RequestFraming(connection, limits))
            try pipeline.addHandler(
                ByteToMessageHandler(
                    HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: decoding)))
            try pipeline.addHandler(connection)
            return Value(channel: channel, router: router, isOver: isOver.futureResult)
        }
    }

    /// Returns when the connection is over; a server that stops waits for that.
    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            try? await value.isOver.get()
        } onCancel: {
            value.channel.close(promise: nil)
            value.router.cancel()
        }
    }
}

/// The task that answers a connection's requests to the router.
final class RouterTask: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    var hasBegun: Bool { task.withLock { $0 != nil } }

    func begin(_ work: @escaping @Sendable () async -> Void) { task.withLock { $0 = Task(operation: work) } }

    func cancel() { task.withLock { $0?.cancel() } }
}
