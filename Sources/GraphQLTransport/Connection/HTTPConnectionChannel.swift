import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Sets up the pipeline of an accepted connection: `RequestFraming`, the decoder and `HTTPConnection`. The router's
/// task for the connection waits for the first request to the router.
struct HTTPConnectionChannel: ServerChildChannel, HTTPChannelHandler {
    typealias RoutedChannel = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// The channel of the router; nil where the connection ends or is upgraded before its first request to the
        /// router.
        let routed: EventLoopFuture<RoutedChannel?>
    }

    let responder: HTTPChannelHandler.Responder
    let environment: TransportEnvironment

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let routed = channel.eventLoop.makePromise(of: RoutedChannel?.self)
            channel.closeFuture.whenComplete { _ in routed.succeed(nil) }
            let connection = HTTPConnection(
                environment, place: environment.connections.enter(channel),
                attachRouter: { context in
                    routed.succeed(
                        try RoutedChannel(
                            wrappingChannelSynchronously: context.channel,
                            configuration: .init(isOutboundHalfClosureEnabled: true)))
                },
                onUpgrade: { [upgraded = environment.upgraded] channel in
                    upgraded.add(channel)
                    routed.succeed(nil)
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
            return Value(channel: channel, routed: routed.futureResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            guard let routed = try? await value.routed.get() else { return }
            await handleHTTP(asyncChannel: routed, logger: logger)
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }
}
