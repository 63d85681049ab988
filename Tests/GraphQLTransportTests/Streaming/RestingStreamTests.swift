import GraphQLTransport
import TestSupport
import Testing

/// Subscriptions that wait without a task.
@Suite(.timeLimit(.minutes(10)))
struct RestingStreamTests {
    private static func query(_ board: String) -> String { #"subscription { board(name: \"\#(board)\") { text } }"# }

    private static func data(_ text: String) -> String { #"{"data":{"board":{"text":"\#(text)"}}}"# }

    @Test func socketsGetWhatIsHandedToAll() async throws {
        let board = Board.named("sockets")
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("one", Self.query("sockets"))
                try await client.subscribe("two", Self.query("sockets"))
                try await board.waitForReaders(2)
                var handed = 0
                for number in 1...20 { handed += try await board.post("\(number)") }
                #expect(handed > 0)
                var received: [String] = []
                for _ in 1...40 { received.append(try await client.message()) }
                for id in ["one", "two"] {
                    let head = #"{"id":"\#(id)","type":"next","payload":"#
                    let own = received.filter { $0.hasPrefix(head) }
                    #expect(own == (1...20).map { "\(head)\(Self.data("\($0)"))}" })
                }
                try await board.waitForRelease()
            }
            try await server.reaches("graphql_open_subscriptions 0")
        }
        #expect(board.count == 0)
    }

    @Test func eventStreamsDoToo() async throws {
        let board = Board.named("event streams")
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post(Self.query("event streams"), accept: "text/event-stream")
                try await board.waitForReaders(1)
                var handed = 0
                for number in 1...20 { handed += try await board.post("\(number)") }
                #expect(handed > 0)
                for number in 1...20 {
                    #expect(try await client.event().contains(Self.data("\(number)")))
                }
                try await board.waitForRelease()
            }
            try await server.reaches("graphql_open_subscriptions 0")
        }
        #expect(board.count == 0)
    }

    @Test func whoDoesNotReadIsWaitedForAndThenToldSo() async throws {
        let board = Board.named("not read")
        try await TestServer.run {
            $0.settings.streams.stallTimeout = .milliseconds(100)
        } _: { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", Self.query("not read"))
                try await board.waitForReaders(1)
                let text = String(repeating: "x", count: 100_000)
                var posted = 0
                try await eventually("the end of the subscription") {
                    _ = try await board.post(text)
                    posted += 1
                    return board.count == 0
                }
                var (received, last) = (0, try await client.message())
                while last.hasPrefix(#"{"id":"1","type":"next""#) {
                    received += 1
                    last = try await client.message()
                }
                #expect(last.hasPrefix(#"{"id":"1","type":"error""#))
                #expect(last.contains(#""code":"TIMEOUT""#))
                #expect(received > 10 && received < posted)
                try await board.waitForRelease()
            }
        }
    }
}
