import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Upgrades an HTTP connection to a WebSocket.
/// RFC 9110, 7.8 Upgrade
struct WebSocketUpgrade {
    let head: RequestHead
    private let request: HTTPRequestHead
    private let environment: TransportEnvironment
    private let offersSubprotocol: Bool

    init(_ request: HTTPRequestHead, _ head: RequestHead, _ environment: TransportEnvironment) {
        self.request = request
        self.head = head
        self.environment = environment
        offersSubprotocol = WebSocketHandshake.offersSubprotocol(head)
    }

    /// The response with status 101 and the headers of the handshake.
    func response(on channel: any Channel) -> EventLoopFuture<ByteBuffer> {
        let requestID = head.requestID
        let headers = WebSocketHandshake.answer(to: request, offersSubprotocol: offersSubprotocol, on: channel)
        return headers.map { headers in
            var bytes = ByteBufferAllocator().buffer(capacity: 256)
            bytes.writeStatusLine(.switchingProtocols)
            for (name, value) in headers { bytes.writeField(name, value) }
            bytes.writeField("X-Request-Id", requestID.description)
            bytes.writeStaticString("\r\n")
            return bytes
        }
    }

    func socket() -> WebSocketConnection {
        WebSocketConnection(head: head.forSocket(request), offersSubprotocol: offersSubprotocol, environment)
    }

    /// Replaces the HTTP handlers. The HTTP decoder is removed last, because it then passes on the bytes that were read
    /// after the request.
    func replaceHandlers(
        of connection: HTTPConnection, by socket: WebSocketConnection, _ pipeline: ChannelPipeline.SynchronousOperations
    ) throws {
        let maxFrameSize = environment.settings.streams.messageSize
        let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: maxFrameSize))
        try pipeline.addHandler(decoder, position: .after(connection))
        let framing = try pipeline.context(handlerType: RequestFraming.self)
        let requests = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
        pipeline.removeHandler(connection, promise: nil)
        try pipeline.addHandler(socket, position: .after(decoder))
        pipeline.removeHandler(context: framing, promise: nil)
        pipeline.removeHandler(context: requests, promise: nil)
    }
}
