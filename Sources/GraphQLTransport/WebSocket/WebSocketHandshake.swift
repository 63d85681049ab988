import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The rules of the opening handshake, and the headers of its answer.
/// RFC 6455, 4.2 Server-Side Requirements
struct WebSocketHandshake {
    static let subprotocol = "graphql-transport-ws"

    let crossOrigin: CrossOriginPolicy

    /// Whether the request asks for a WebSocket; `refusal` checks the rest of the handshake.
    static func isAskedFor(by head: RequestHead) -> Bool {
        guard head.method == .GET, let upgrade = head.upgrade else { return false }
        return upgrade.split(separator: ",").contains { trimmed($0).lowercased() == "websocket" }
    }

    func refusal(of head: RequestHead) -> GraphQLAnswer? {
        guard head["sec-websocket-version"].map(trimmed) == "13" else {
            return .refusal(
                .upgradeRequired, "The server speaks version 13 of the WebSocket protocol.",
                headers: [("Sec-WebSocket-Version", "13"), ("Upgrade", "websocket")])
        }
        guard let key = head["sec-websocket-key"], isKey(trimmed(key)) else {
            return .refusal(.badRequest, "Sec-WebSocket-Key is 16 bytes in base 64.")
        }
        guard isAllowed(origin: head.origin, host: head["host"]) else {
            return .refusal(.forbidden, "Pages of this origin may not connect.", code: .forbidden)
        }
        return nil
    }

    /// Whether the client offers graphql-transport-ws. A client that does not offer it is refused by a close code,
    /// since a browser hides the HTTP status of a refused handshake.
    static func offersSubprotocol(_ head: RequestHead) -> Bool {
        head.values("sec-websocket-protocol").contains { value in
            value.split(separator: ",").contains { trimmed($0) == subprotocol }
        }
    }

    /// - Returns: the headers of the response with status 101.
    static func answer(
        to request: HTTPRequestHead, offersSubprotocol: Bool, on channel: any Channel
    ) -> EventLoopFuture<HTTPHeaders> {
        var headers = HTTPHeaders()
        if offersSubprotocol { headers.add(name: "Sec-WebSocket-Protocol", value: subprotocol) }
        let accepted = headers
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(accepted) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
        return upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: request, initialResponseHeaders: [:])
    }

    /// Whether the origin is the server's own, an allowed one, or missing, as for a client that is no browser. Browsers
    /// apply no same-origin policy to WebSockets, so the server must. Host counts only where the server's own origin is
    /// not known: another site's name can be made to lead to this server, and Host then names that site.
    /// RFC 6455, 10.2 Origin Considerations
    func isAllowed(origin: String?, host: String?) -> Bool {
        guard let origin else { return true }
        if crossOrigin.allowedOrigin(origin) != nil { return true }
        if let own = crossOrigin.ownOrigin { return WebOrigin(origin) == own }
        guard let host, let scheme = origin.firstRange(of: "://") else { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }

    private func isKey(_ key: String) -> Bool {
        let digits = key.utf8
        return digits.count == 24 && key.hasSuffix("==")
            && digits.dropLast(2).allSatisfy { byte in
                isTokenByte(byte) && byte < 0x7B || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "+")
            }
    }
}
