import GraphQL
import GraphQLTransport
import Synchronization
import TestSupport
import Testing

/// Which requests of a socket keep its other subscriptions waiting, and until when.
@Suite(.timeLimit(.minutes(10)))
struct HoldBackEventsTests {
    private final class Holds: Sendable {
        private let state = Mutex<(sockets: [UInt64?], under: Set<Int>)>(([], []))

        var begun: Int { state.withLock { $0.sockets.count } }
        var open: Int { state.withLock { $0.under.count } }
        var sockets: [UInt64?] { state.withLock { $0.sockets } }

        func begin(_ head: RequestHead) -> @Sendable () -> Void {
            let number = state.withLock { state in
                state.sockets.append(head.socket)
                state.under.insert(state.sockets.count)
                return state.sockets.count
            }
            return { self.state.withLock { _ = $0.under.remove(number) } }
        }

        func waitForNone() async throws { try await eventually("the end of \(open) holds") { open == 0 } }
    }

    private static func run(
        _ holds: Holds, _ body: @escaping @Sendable (inout SocketClient) async throws -> Void
    ) async throws {
        try await TestServer.run({ $0.holdBackEvents = { holds.begin($0) } }) { (server) async throws in
            try await server.socket { (client) async throws in try await body(&client) }
        }
    }

    /// Nothing ends such a hold, as no operation follows from it.
    @Test func noneForTheSocketItself() async throws {
        let holds = Holds()
        try await Self.run(holds) { (client) async throws in
            try await client.open(payload: #"{"accessToken":"holder"}"#)
            try await client.send(#"{"type":"ping","payload":{"accessToken":"holder"}}"#)
            #expect(try await client.message() == #"{"type":"pong"}"#)
            #expect(holds.begun == 0)
            try await client.subscribe("1", "{ hello }")
            #expect(try await client.message().contains("Hello"))
            #expect(holds.sockets.count == 1 && holds.sockets[0] != nil)
        }
    }

    @Test func aSubscriptionsUntilItStreams() async throws {
        let holds = Holds()
        try await Self.run(holds) { (client) async throws in
            try await client.open()
            try await client.subscribe("1", "subscription { silence }")
            try await eventually("the subscription's hold") { holds.begun == 1 }
            try await holds.waitForNone()
            try await client.subscribe("2", "subscription { refused }")
            #expect(try await client.message().contains("FORBIDDEN"))
            #expect(holds.begun == 2)
            try await holds.waitForNone()
        }
    }

    @Test func aQuerysUntilItIsKnownForOne() async throws {
        let holds = Holds()
        try await Self.run(holds) { (client) async throws in
            try await client.open()
            try await client.subscribe("1", #"{ gated(gate: \"held query\") }"#)
            try await Gate.named("held query").fill(1)
            #expect(holds.begun == 1 && holds.open == 0)
            Gate.named("held query").open()
            #expect(try await client.message().contains("passed"))
            try await client.subscribe("2", "{ nothing }")
            _ = try await client.message()
            _ = try await client.message()
            #expect(holds.begun == 2)
            try await holds.waitForNone()
        }
    }
}
