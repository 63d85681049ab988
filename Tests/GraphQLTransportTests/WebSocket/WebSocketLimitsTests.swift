import GraphQLTransport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20)))
struct WebSocketLimitsTests {
    @Test func boundsAMessage() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.send(#"{"type":"ping","payload":{"x":"\#(String(repeating: "x", count: 60_000))"}}"#)
                #expect(try await client.message().hasPrefix(#"{"type":"pong""#))
                try await client.send(#"{"type":"ping","payload":{"x":"\#(String(repeating: "x", count: 70_000))"}}"#)
                #expect(try await client.message() == "1009: Message too big")
            }
        }
    }

    @Test func boundsFragments() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                let first = SocketClient.frame(0x01, [UInt8(ascii: "{")])
                let more = SocketClient.frame(0x00, [UInt8(ascii: " ")])
                var bytes = first
                for _ in 0..<20_000 { bytes += more }
                try? await client.connection.outbound.write(.init(bytes: bytes))
                #expect(try await client.message() == "1009: Message too big")
            }
            #expect(try await server.reaches("graphql_open_sockets 0"))
        }
    }

    @Test func boundsOperations() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                for id in 0..<1_000 { try await client.subscribe("\(id)", "subscription { silence }") }
                for id in 20..<1_000 {
                    let message = try await client.message()
                    #expect(message.hasPrefix(#"{"id":"\#(id)","type":"error""#))
                    #expect(message.contains(#""code":"RATE_LIMITED""#))
                }
                #expect(try await server.reaches("graphql_open_subscriptions 20"))
            }
            #expect(try await server.reaches("graphql_open_subscriptions 0"))
        }
    }

    @Test func pingsAndTerminatesDeadPeers() async throws {
        try await TestServer.run {
            $0.settings.streams.keepAlive = .seconds(2)
        } _: { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                #expect(try await client.next() == .ping)
                #expect(try await client.next() == .text(#"{"type":"ping"}"#))
                try await client.send(#"{"type":"pong"}"#)
                #expect(try await client.next() == .ping)
                #expect(try await client.next() == .text(#"{"type":"ping"}"#))
                // No answer any more: the end comes without a close frame.
                #expect(try await client.next() == .end)
            }
            #expect(try await server.reaches("graphql_open_sockets 0"))
        }
    }

    /// A source that is faster than any client is held back while the client reads.
    @Test func holdsBackAFastSource() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { countdown(from: 3000) }")
                var last = ""
                for left in stride(from: 3_000, to: 0, by: -1) {
                    last = try await client.message()
                    if !last.contains(":\(left)}") { break }
                }
                #expect(last == #"{"id":"1","type":"next","payload":{"data":{"countdown":1}}}"#)
                #expect(try await client.message() == #"{"id":"1","type":"complete"}"#)
                #expect(try await server.send("GET", "/healthz").status == 200)
            }
        }
    }

    @Test func endsAStreamThatIsNotRead() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { flood(bytes: 10000) }")
                #expect(try await server.reaches("graphql_stalled_subscriptions_total 1"))
                #expect(try await server.reaches("graphql_open_subscriptions 0"))
                // What was queued comes, then the reason; the socket is still good.
                var last = ""
                repeat { last = try await client.message() } while last.hasPrefix(#"{"id":"1","type":"next""#)
                #expect(last.hasPrefix(#"{"id":"1","type":"error""#))
                #expect(last.contains(#""code":"TIMEOUT""#))
                try await client.subscribe("2", "{ hello }")
                #expect(try await client.message().contains("Hello"))
            }
        }
    }

    @Test func dropsAClientThatNeverReads() async throws {
        try await TestServer.run {
            $0.settings.limits.writeTimeout = .seconds(1)
        } _: { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { flood(bytes: 10000) }")
                #expect(try await server.reaches("graphql_open_subscriptions 1"))
                #expect(try await server.reaches("graphql_open_sockets 0"))
            }
        }
    }

    @Test func drainsWithACode() async throws {
        try await TestServer.run { (server) async throws in
            let idle = Task {
                try await server.socket { (client) async throws in
                    try await client.open()
                    try await client.subscribe("s", "subscription { silence }")
                    return try await client.message()
                }
            }
            try await server.socket { (busy) async throws in
                try await busy.open()
                try await busy.subscribe("q", "{ slow(milliseconds: 1000) }")
                #expect(try await server.reaches("graphql_open_subscriptions 1"))
                try await Task.sleep(for: .milliseconds(300))
                await server.stop()
                #expect(try await idle.value == "1001: Going away")
                #expect(try await busy.message() == #"{"id":"q","type":"next","payload":{"data":{"slow":"done"}}}"#)
                #expect(try await busy.message() == #"{"id":"q","type":"complete"}"#)
                #expect(try await busy.message() == "1001: Going away")
            }
        }
    }
}
