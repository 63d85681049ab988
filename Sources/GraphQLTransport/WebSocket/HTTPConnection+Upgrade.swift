import NIOCore
import NIOHTTP1
import NIOWebSocket

/// RFC 9110, 7.8 Upgrade
extension HTTPConnection {
    func beginUpgrade(_ request: HTTPRequestHead, _ head: RequestHead) {
        if isDraining { return begin(refusing: .refusal(.serviceUnavailable, "The server stops.", code: .unavailable)) }
        let handshake = WebSocketHandshake(crossOrigin: settings.crossOrigin)
        if let refusal = handshake.refusal(of: head) { return begin(refusing: refusal) }
        phase = .upgrading(request)
        deadlines.current = .now() + settings.limits.bodyTimeout
    }

    func upgrade(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard let head else { return }
        let offersSubprotocol = WebSocketHandshake.offersSubprotocol(head)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        WebSocketHandshake.answer(to: request, offersSubprotocol: offersSubprotocol, on: context.channel)
            .whenComplete { result in
                let connection = connection.value
                guard let context = connection.context else { return }
                do {
                    try connection.upgrade(head, request, result.get(), offersSubprotocol, context)
                } catch {
                    context.close(promise: nil)
                }
            }
    }

    private func upgrade(
        _ head: RequestHead, _ request: HTTPRequestHead, _ headers: HTTPHeaders, _ offersSubprotocol: Bool,
        _ context: ChannelHandlerContext
    ) throws {
        var bytes = context.channel.allocator.buffer(capacity: 256)
        bytes.writeStatusLine(.switchingProtocols)
        for (name, value) in headers { bytes.writeField(name, value) }
        bytes.writeField("X-Request-Id", head.requestID.description)
        bytes.writeStaticString("\r\n")
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        telemetry.record(nil, status: .switchingProtocols, head: head, since: startedAt)
        phase = .upgraded
        let socket = WebSocketConnection(
            head: head.forSocket(request), offersSubprotocol: offersSubprotocol,
            endpoint: endpoint, settings: settings, telemetry: telemetry)
        try replaceHandlers(with: socket, context.pipeline.syncOperations)
        onUpgrade(context.channel)
        if isDraining { socket.perform(socket.state.drain()) }
    }

    /// What was read behind the request is handed on when the decoder leaves, so all others are in place before.
    private func replaceHandlers(
        with socket: WebSocketConnection, _ pipeline: ChannelPipeline.SynchronousOperations
    ) throws {
        let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: settings.streams.messageSize))
        try pipeline.addHandler(decoder, position: .after(self))
        let framing = try pipeline.context(handlerType: RequestFraming.self)
        let requests = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
        pipeline.removeHandler(self, promise: nil)
        try pipeline.addHandler(socket, position: .after(decoder))
        pipeline.removeHandler(context: framing, promise: nil)
        pipeline.removeHandler(context: requests, promise: nil)
    }
}
