import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import TertuliaClient

/// A WebSocket on a SwiftNIO channel.
final class NIOSocket: TransportSocket {
    let messages: AsyncThrowingStream<String, any Error>
    private let channel: any Channel

    private init(_ channel: any Channel, _ messages: AsyncThrowingStream<String, any Error>) {
        self.channel = channel
        self.messages = messages
    }

    deinit { channel.close(promise: nil) }

    /// - Parameter timeout: for the connection, for TLS and for the server's answer together.
    static func connect(
        to url: URL, protocol name: String, on group: any EventLoopGroup, timeout: TimeAmount
    ) async throws -> NIOSocket {
        guard let host = url.host else { throw TransportError("\(url) has no host.") }
        let isSecure = url.scheme == "wss"
        let port = url.port ?? (isSecure ? 443 : 80)
        // TLS names no server by its IP address. The certificate is compared with the address itself.
        // RFC 6066, section 3
        let serverName = (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil
        let (messages, continuation) = AsyncThrowingStream.makeStream(of: String.self, throwing: (any Error).self)
        let context = isSecure ? try NIOSSLContext(configuration: .makeClientConfiguration()) : nil
        let upgraded = try await ClientBootstrap(group: group).connectTimeout(min(timeout, .seconds(10)))
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: serverName))
                    }
                    let upgraded = try upgrade(channel, url, protocol: name, continuation)
                    return limit(upgraded, on: channel, to: timeout)
                }
            }
        guard let channel = try await upgraded.get() else { throw TransportError("The server opened no WebSocket.") }
        return NIOSocket(channel, messages)
    }

    /// Fails, and closes the channel, if the server has not opened the WebSocket in time.
    private static func limit(
        _ upgraded: EventLoopFuture<(any Channel)?>, on channel: any Channel, to timeout: TimeAmount
    ) -> EventLoopFuture<(any Channel)?> {
        let promise = channel.eventLoop.makePromise(of: (any Channel)?.self)
        let limit = channel.eventLoop.scheduleTask(in: timeout) {
            promise.fail(TransportError("The server opened no WebSocket in time."))
            channel.close(promise: nil)
        }
        upgraded.whenComplete { result in
            limit.cancel()
            promise.completeWith(result)
        }
        return promise.futureResult
    }

    /// - Returns: the channel once the server has opened the WebSocket; nil where the server answers otherwise.
    private static func upgrade(
        _ channel: any Channel, _ url: URL, protocol name: String,
        _ messages: AsyncThrowingStream<String, any Error>.Continuation
    ) throws -> EventLoopFuture<(any Channel)?> {
        let upgrader = NIOTypedWebSocketClientUpgrader<(any Channel)?>(
            maxFrameSize: 16 << 20,
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1 << 14,
                            maxAccumulatedFrameSize: 16 << 20))
                    try channel.pipeline.syncOperations.addHandler(SocketHandler(messages))
                    return channel
                }
            })
        var headers = HTTPHeaders()
        let target = WebSocketTarget(url)
        headers.add(name: "Host", value: target.host)
        headers.add(name: "Sec-WebSocket-Protocol", value: name)
        headers.add(name: "Content-Length", value: "0")
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<(any Channel)?>(
            upgradeRequestHead: HTTPRequestHead(version: .http1_1, method: .GET, uri: target.path, headers: headers),
            upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in channel.close().map { (_: Void) -> (any Channel)? in nil } })
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: .init(upgradeConfiguration: configuration))
    }

    func send(_ text: String) async throws {
        let frame = WebSocketFrame(
            fin: true, opcode: .text, maskKey: .random(), data: channel.allocator.buffer(string: text))
        do { try await channel.writeAndFlush(frame) } catch { throw TransportError("\(error)") }
    }

    func close() async {
        var code = channel.allocator.buffer(capacity: 2)
        code.write(webSocketErrorCode: .normalClosure)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: code)
        try? await channel.writeAndFlush(frame)
        try? await channel.close()
    }
}

/// The host and the path with which a request opens the WebSocket of a URL, percent-encoded as in the URL.
/// Source: RFC 6455, 3 WebSocket URIs
struct WebSocketTarget: Equatable {
    /// The host, with the port where the URL has one.
    let host: String
    /// The path and the query.
    let path: String

    init(_ url: URL) {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        host = (parts?.encodedHost ?? "") + (url.port.map { ":\($0)" } ?? "")
        let path = parts?.percentEncodedPath ?? ""
        self.path = (path.isEmpty ? "/" : path) + (parts?.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
}

/// Turns frames into messages, on the event loop of its channel.
private final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let messages: AsyncThrowingStream<String, any Error>.Continuation

    init(_ messages: AsyncThrowingStream<String, any Error>.Continuation) { self.messages = messages }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        var bytes = frame.unmaskedData
        switch frame.opcode {
        case .text: messages.yield(String(buffer: bytes))
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: bytes)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            let code = bytes.readWebSocketErrorCode().map { Int(UInt16(webSocketErrorCode: $0)) } ?? 1005
            messages.finish(throwing: SocketClosed(code: code, reason: String(buffer: bytes)))
            context.close(promise: nil)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        messages.finish(throwing: TransportError("The connection was closed."))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        messages.finish(throwing: TransportError("\(error)"))
        context.close(promise: nil)
    }
}
