import GraphQLTransport
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
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
            try await server.reaches("graphql_open_sockets 0")
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
                try await server.reaches("graphql_open_subscriptions 20")
            }
            try await server.reaches("graphql_open_subscriptions 0")
        }
    }

    @Test func pingsAndTerminatesDeadPeers() async throws {
        try await TestServer.runByManualClock {
            $0.settings.streams.keepAlive = .minutes(1)
        } _: { (server, clock) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await clock.pass(.minutes(1))
                #expect(try await client.next() == .ping)
                #expect(try await client.next() == .text(#"{"type":"ping"}"#))
                try await client.send(#"{"type":"pong"}"#)
                // The answer shows that the server has read the pong before it.
                try await client.send(#"{"type":"ping","payload":{"n":1}}"#)
                #expect(try await client.next() == .text(#"{"type":"pong","payload":{"n":1}}"#))
                try await clock.pass(.minutes(1))
                #expect(try await client.next() == .ping)
                #expect(try await client.next() == .text(#"{"type":"ping"}"#))
                try await clock.pass(.minutes(1))
                // No answer any more: the end comes without a close frame.
                #expect(try await client.next() == .end)
            }
            try await server.reaches("graphql_open_sockets 0")
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
        try await TestServer.run {
            $0.settings.streams.stallTimeout = .milliseconds(100)
        } _: { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { flood(bytes: 10000) }")
                try await server.reaches("graphql_stalled_subscriptions_total 1")
                try await server.reaches("graphql_open_subscriptions 0")
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
        try await TestServer.runByManualClock {
            $0.settings.limits.writeTimeout = .seconds(1)
            // The loop below does not reach this limit.
            $0.settings.streams.keepAlive = .hours(24)
        } _: { (server, clock) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { flood(bytes: 10000) }")
                try await server.reaches("graphql_open_subscriptions 1")
                // The server's `writeTimeout` begins when the socket's buffers are full. That moment is not known, so time
                // passes until the socket ends.
                try await eventually("the end of the socket") {
                    try await clock.pass(.seconds(1))
                    return server.has("graphql_open_sockets 0")
                }
            }
        }
    }

    @Test func drainsWithACode() async throws {
        try await TestServer.run { (server) async throws in
            async let idle = server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("s", "subscription { silence }")
                return try await client.message()
            }
            try await server.socket { (busy) async throws in
                try await busy.open()
                try await busy.subscribe("q", #"{ gated(gate: \"drains\") }"#)
                try await Gate.named("drains").fill(1)
                try await server.reaches("graphql_open_subscriptions 1")
                await server.stop()
                // The idle one is closed at once.
                try await server.reaches("graphql_open_sockets 1")
                Gate.named("drains").open()
                #expect(try await busy.message() == #"{"id":"q","type":"next","payload":{"data":{"gated":"passed"}}}"#)
                #expect(try await busy.message() == #"{"id":"q","type":"complete"}"#)
                #expect(try await busy.message() == "1001: Going away")
            }
            let farewell = try await idle
            #expect(farewell == "1001: Going away")
        }
    }
}
