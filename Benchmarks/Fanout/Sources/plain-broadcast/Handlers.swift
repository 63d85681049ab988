import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Acknowledges the first message, and takes any next one as the subscription.
final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let subscribers: Subscribers
    private var isAcknowledged = false

    init(_ subscribers: Subscribers) { self.subscribers = subscribers }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard unwrapInboundIn(data).opcode == .text else { return }
        if isAcknowledged { return subscribers.add(context) }
        isAcknowledged = true
        let text = ByteBuffer(string: #"{"type":"connection_ack"}"#)
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: text)), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        subscribers.remove(context)
        context.fireChannelInactive()
    }
}

/// Sends the body of each request to everybody.
final class PublishHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let subscribers: Subscribers
    private var body = ByteBuffer()

    init(_ subscribers: Subscribers) { self.subscribers = subscribers }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: body.clear()
        case .body(var part): body.writeBuffer(&part)
        case .end:
            var event = ByteBuffer(string: #"{"id":"1","type":"next","payload":{"data":{"event":{"text":""#)
            event.writeBuffer(&body)
            event.writeString(#""}}}}"#)
            subscribers.broadcast(event)
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
