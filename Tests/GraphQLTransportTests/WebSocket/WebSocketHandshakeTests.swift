import GraphQLTransport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WebSocketHandshakeTests {
    @Test func opensASocketOnAnyRequestOfAConnection() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.connection.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.connection.reply().status == 200)
                #expect(try await client.handshake() == 101)
                try await client.send(#"{"type":"connection_init"}"#)
                #expect(try await client.message() == #"{"type":"connection_ack"}"#)
            }
        }
    }

    /// RFC 6455, 1.3 Opening Handshake, with the key and the answer of its example.
    @Test func answersTheKey() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.connect { (connection) async throws in
                try await connection.write(
                    "GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
                        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                        + "Sec-WebSocket-Protocol: other, graphql-transport-ws\r\n\r\n")
                return try await connection.reply()
            }
            #expect(reply.status == 101)
            #expect(reply["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            #expect(reply["Sec-WebSocket-Protocol"] == "graphql-transport-ws")
            #expect(reply["Upgrade"] == "websocket")
        }
    }

    @Test func takesWhatComesBehindTheRequest() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                let early = SocketClient.frame(0x81, Array(#"{"type":"connection_init"}"#.utf8))
                #expect(try await client.handshake(early: early) == 101)
                #expect(try await client.message() == #"{"type":"connection_ack"}"#)
            }
        }
    }

    @Test(arguments: [
        ("Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", 426),
        ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", 426),
        ("Sec-WebSocket-Version: 13\r\n", 400),
        ("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n", 400),
        (
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: https://a.evil\r\n",
            403
        ),
        ("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: null\r\n", 403),
    ])
    func refusesByAStatus(_ headers: String, _ status: Int) async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.connect { (connection) async throws in
                try await connection.write(
                    "GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\(headers)\r\n")
                return try await connection.reply()
            }
            #expect(reply.status == status)
        }
    }

    @Test(arguments: ["http://localhost", "https://app.example"])
    func allowsItsOwnPagesAndThoseOfTheList(_ origin: String) async throws {
        try await TestServer.run {
            $0.settings.crossOrigin = CrossOriginPolicy(origins: .listed(["https://app.example"]))
        } _: { (server) async throws in
            try await server.socket { (client) async throws in
                #expect(try await client.handshake([("Origin", origin)]) == 101)
            }
            try await server.socket { (client) async throws in
                #expect(try await client.handshake([("Origin", origin + ".evil.example")]) == 403)
            }
        }
    }

    /// Another site's name can lead to this server, whose pages then have an origin that agrees with Host.
    @Test(arguments: [
        ("https://api.example", true), ("https://API.example:443", true), (nil, true), ("https://app.example", true),
        ("http://localhost", false), ("http://api.example", false), ("https://api.example:8443", false),
        ("https://api.example.evil.example", false), ("null", false), ("", false),
    ])
    func hostDoesNotCountWhereTheOwnOriginIsKnown(_ origin: String?, _ isAllowed: Bool) async throws {
        try await TestServer.run {
            $0.settings.crossOrigin = CrossOriginPolicy(
                origins: .listed(["https://app.example"]), ownOrigin: WebOrigin("https://api.example/graphql"))
        } _: { (server) async throws in
            try await server.socket { (client) async throws in
                let headers = origin.map { [("Origin", $0)] } ?? []
                #expect(try await client.handshake(headers) == (isAllowed ? 101 : 403))
            }
        }
    }

    @Test(arguments: [
        ("http://localhost:8080", "http://localhost:8080/api?x", true),
        ("HTTP://A.example", "http://a.EXAMPLE:80/", true),
        ("https://a.example:443", "https://a.example", true), ("https://user@a.example", "https://a.example", true),
        ("http://[::1]:8080", "http://127.0.0.1:8080", true), ("http://[2001:db8::1]", "http://[2001:DB8::1]:80", true),
        ("http://localhost:8080", "http://127.0.0.1:8080", true), ("http://a.example", "https://a.example", false),
        ("https://a.example:80", "https://a.example", false),
        ("http://[2001:db8::1]:81", "http://[2001:db8::1]", false),
        ("http://localhost:8081", "http://127.0.0.1:8080", false),
    ])
    func origins(_ one: String, _ other: String, _ areEqual: Bool) throws {
        let first = try #require(WebOrigin(one))
        let second = try #require(WebOrigin(other))
        #expect((first == second) == areEqual)
        for text in [
            "null", "", "ftp://a.example", "http://", "a.example", "://a", "http:///x", "http://:80", "http://a:x",
        ] {
            #expect(WebOrigin(text) == nil, "\(text)")
        }
    }

    @Test(arguments: ["graphql-ws", nil])
    func closesWhereTheSubprotocolIsAnother(_ subprotocol: String?) async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                #expect(try await client.handshake(subprotocol: subprotocol) == 101)
                #expect(try await client.message() == "4406: Subprotocol not acceptable")
            }
        }
    }

    /// A decoder that met an upgrade reads no further request, so the connection must not wait for one.
    @Test func answersWhereAnotherProtocolIsOffered() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.send(
                "GET", "/graphql?query=%7Bhello%7D", [("Upgrade", "h2c"), ("Connection", "Upgrade")])
            #expect(reply.status == 200)
            #expect(reply["Connection"] == "close")
        }
    }
}
