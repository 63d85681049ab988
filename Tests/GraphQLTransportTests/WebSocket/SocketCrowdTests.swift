import GraphQLTransport
import NIOCore
import Testing

/// Clients as they come: what each of them held is released when it is gone.
@Suite(.timeLimit(.minutes(10)))
struct SocketCrowdTests {
    private enum Manner: CaseIterable {
        case connects, subscribes, fallsSilent, breaksOffInAFrame, neverReads
    }

    @Test func releasesEverything() async throws {
        let gate = Gate.named("crowd")
        try await TestServer.runByManualClock {
            $0.settings.accessLog = .problems
        } _: { (server, clock) async throws in
            try await withThrowingTaskGroup(of: Void.self) { clients in
                for number in 0..<200 {
                    clients.addTask { try await behave(Manner.allCases[number % 5], server, gate) }
                }
                for _ in 0..<120 { _ = try await clients.next() }
                // The others are there to stay. The server ends them: it hears nothing from them, or cannot write.
                try await gate.fill(80)
                try await server.reaches("graphql_open_sockets 80")
                try await server.reaches("graphql_open_subscriptions 80")
                for _ in 1...2 { try await clock.pass(.minutes(10)) }
                try await server.reaches("graphql_open_sockets 0")
                gate.open()
                try await clients.waitForAll()
            }
            try await server.reaches("graphql_open_sockets 0")
            try await server.reaches("graphql_open_subscriptions 0")
            try await server.hasNoOpenSockets()
            #expect(try await server.send("GET", "/healthz").status == 200)
        }
    }

    private func behave(_ manner: Manner, _ server: TestServer, _ gate: Gate) async throws {
        try await server.socket { (client) async throws in
            try await client.open()
            switch manner {
            case .connects: break
            case .subscribes:
                try await client.subscribe("1", "subscription { silence }")
                try await client.subscribe("2", "subscription { greetings }")
                #expect(try await client.message().contains("Hi"))
            case .fallsSilent:
                try await client.subscribe("1", "subscription { silence }")
                try await gate.pass()
                while try await client.next() != .end {}
            case .breaksOffInAFrame:
                try await client.subscribe("1", "subscription { farewell }")
                #expect(try await client.message().contains("Hello"))
                let frame = SocketClient.frame(0x81, Array(#"{"type":"ping"}"#.utf8))
                try await client.connection.outbound.write(ByteBuffer(bytes: frame.prefix(9)))
            case .neverReads:
                try await client.subscribe("1", "subscription { flood(bytes: 10000) }")
                try await gate.pass()
            }
        }
    }
}
