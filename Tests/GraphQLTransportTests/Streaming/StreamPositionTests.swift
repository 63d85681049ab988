import GraphQLTransport
import Testing

/// Where a client goes on: in pings and keep-alives, and whenever the server ends a stream.
@Suite(.timeLimit(.minutes(10)))
struct StreamPositionTests {
    private static let page = #"{"id":"1","type":"next","payload":{"data":{"pages":{"number":1}}}}"#
    private static let ping = #"{"type":"ping","payload":{"cursor":"end"}}"#

    @Test func pingsTellIt() async throws {
        try await TestServer.runByManualClock {
            $0.settings.streams.keepAlive = .minutes(1)
        } _: { (server, clock) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { pages(count: 1) { number } }")
                try await client.subscribe("2", "subscription { silence }")
                #expect(try await client.message() == Self.page)
                try await server.reaches("graphql_open_subscriptions 2")
                try await clock.pass(.minutes(1))
                #expect(try await client.next() == .ping)
                #expect(try await client.next() == .text(Self.ping))
            }
        }
    }

    /// One subscription of the connection may still owe something, or not even have begun.
    @Test(arguments: ["subscription { pages(count: 0, rests: false) { number } }", #"{ gated(gate: \"pings\") }"#])
    func pingsDoNotTellWhatIsNotSure(_ other: String) async throws {
        try await TestServer.runByManualClock {
            $0.settings.streams.keepAlive = .minutes(1)
        } _: { (server, clock) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { pages(count: 1) { number } }")
                #expect(try await client.message() == Self.page)
                try await client.subscribe("2", other)
                // The answer shows that the server has read the message before it.
                try await client.send(#"{"type":"ping","payload":{"number":1}}"#)
                #expect(try await client.next() == .text(#"{"type":"pong","payload":{"number":1}}"#))
                try await clock.pass(.minutes(1))
                #expect(try await client.next() == .ping)
                #expect(try await client.next() == .text(#"{"type":"ping"}"#))
                if other.contains("gated") { Gate.named("pings").open() }
            }
        }
    }

    @Test func aSocketTellsItBeforeItCloses() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open(payload: #"{"accessToken":"leaves-with-a-cursor"}"#)
                try await client.subscribe("1", "subscription { pages(count: 1) { number } }")
                #expect(try await client.message() == Self.page)
                TestContext.endSession(of: "leaves-with-a-cursor")
                #expect(try await client.message() == Self.ping)
                #expect(try await client.message() == "4403: Forbidden: the session has ended")
            }
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { pages(count: 1) { number } }")
                #expect(try await client.message() == Self.page)
                await server.stop()
                #expect(try await client.message() == Self.ping)
                #expect(try await client.message() == "1001: Going away")
            }
        }
    }

    /// What cannot be read for the moment is not passed over.
    @Test func anEventThatCannotBeReadEndsItsStream() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { pages(count: 3) { number late } }")
                #expect(try await client.message().contains(#""number":1,"late":"read""#))
                let last = try await client.message()
                #expect(last.hasPrefix(#"{"id":"1","type":"error""#))
                #expect(last.contains(#""code":"UNAVAILABLE","cursor":"page 1""#), "\(last)")
            }
        }
    }

    @Test func aReaderThatStallsGetsItsOwn() async throws {
        try await TestServer.run {
            $0.settings.streams.stallTimeout = .milliseconds(100)
        } _: { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { pages(count: 1000000, bytes: 10000) { number text } }")
                try await server.reaches("graphql_stalled_subscriptions_total 1")
                var last = ""
                var count = 0
                repeat {
                    last = try await client.message()
                    count += 1
                } while last.hasPrefix(#"{"id":"1","type":"next""#)
                #expect(last.contains(#""code":"TIMEOUT","cursor":"page \#(count - 1)""#), "\(count): \(last)")
            }
        }
    }

    @Test func eventStreamsTellItToo() async throws {
        try await TestServer.runByManualClock {
            $0.settings.streams.keepAlive = .minutes(1)
        } _: { (server, clock) async throws in
            let page = "id: page 1\nevent: next\ndata: {\"data\":{\"pages\":{\"number\":1}}}\n\n"
            try await server.stream { (client) async throws in
                _ = try await client.post(
                    "subscription { pages(count: 1) { number } }", accept: "text/event-stream",
                    [("Authorization", "Bearer leaves a stream with a cursor")])
                #expect(try await client.event() == page)
                try await clock.pass(.minutes(1))
                #expect(try await client.take(through: "\n\n") == ":\nid: end\n\n")
                TestContext.endSession(of: "leaves a stream with a cursor")
                try await clock.pass(.seconds(1))
                #expect(try await client.event().contains(#""code":"UNAUTHENTICATED","cursor":"end""#))
            }
            try await server.stream { (client) async throws in
                _ = try await client.post("subscription { pages(count: 1) { number } }", accept: "text/event-stream")
                #expect(try await client.event() == page)
                await server.stop()
                #expect(try await client.rest().hasSuffix(":\nid: end\n\n"))
            }
        }
    }
}
