import GraphQLTransport
import Synchronization
import TestSupport
import Testing

/// Whoever waits for the proof that a client has an event is told once there is one.
@Suite(.timeLimit(.minutes(10))) struct ReceiptTests {
    private final class Told: Sendable {
        private let names = Mutex<[String]>([])

        func note(_ name: String) { names.withLock { $0.append(name) } }
        var all: [String] { names.withLock { $0 } }

        func reaches(_ expected: [String], fileID: StaticString = #fileID, line: UInt = #line) async throws {
            try await eventually("\(expected), not \(all)", fileID: fileID, line: line) { all == expected }
        }
    }

    private static func query(_ board: String) -> String { #"subscription { board(name: \"\#(board)\") { text } }"# }

    @Test func aSocketsPongProvesIt() async throws {
        let board = Board.named("pongs")
        let told = Told()
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", Self.query("pongs"))
                try await board.waitForReaders(1)
                board.post("a") { told.note("a") }
                #expect(try await client.message().contains(#""text":"a""#))
                #expect(try await client.numberedPing() == #"{"type":"ping","payload":{"number":1}}"#)
                // Everything that it says but a pong.
                try await client.send(#"{"type":"ping"}"#)
                #expect(try await client.message() == #"{"type":"pong"}"#)
                #expect(told.all == [])
                try await client.send(#"{"type":"pong","payload":{"number":1}}"#)
                try await told.reaches(["a"])
                board.post("b") { told.note("b") }
                #expect(try await client.message().contains(#""text":"b""#))
                #expect(try await client.numberedPing() == #"{"type":"ping","payload":{"number":2}}"#)
                // The answer to the older ping does not prove what came after it.
                try await client.send(#"{"type":"pong","payload":{"number":1}}"#)
                try await client.send(#"{"type":"ping"}"#)
                #expect(try await client.message() == #"{"type":"pong"}"#)
                #expect(told.all == ["a"])
                try await client.send(#"{"type":"pong","payload":{"number":2}}"#)
                try await told.reaches(["a", "b"])
            }
        }
    }

    @Test func anEventStreamIsProvenByItsReading() async throws {
        let board = Board.named("readings")
        let told = Told()
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post(Self.query("readings"), accept: "text/event-stream")
                try await board.waitForReaders(1)
                for name in ["a", "b", "c"] {
                    board.post(name) { told.note(name) }
                    #expect(try await client.event().contains("\"text\":\"\(name)\""))
                }
                try await told.reaches(["a", "b", "c"])
            }
        }
    }
}

extension SocketClient {
    /// The next that asks for a proof, past others.
    fileprivate mutating func numberedPing() async throws -> String {
        while true {
            switch try await next() {
            case .text(let text) where text.contains("number"): return text
            case .end: return "end"
            default: continue
            }
        }
    }
}
