import GraphQLTransport
import NIOCore
import Testing

/// Clients as they come: what each of them held is released when it is gone.
@Suite(.timeLimit(.minutes(20)))
struct SocketCrowdTests {
    private enum Manner: CaseIterable {
        case connects, subscribes, fallsSilent, breaksOffInAFrame, neverReads
    }

    @Test func releasesEverything() async throws {
        try await TestServer.run {
            $0.settings.streams.keepAlive = .seconds(3)
            $0.settings.limits.writeTimeout = .seconds(2)
            $0.settings.accessLog = .problems
        } _: { (server) async throws in
            try await withThrowingTaskGroup(of: Void.self) { clients in
                for number in 0..<200 {
                    clients.addTask {
                        do { try await behave(Manner.allCases[number % 5], server) } catch ChannelError
                            .ioOnClosedChannel
                        {
                            // On a busy machine a client may be too late, and the server has closed its socket.
                        }
                    }
                }
                try await clients.waitForAll()
            }
            #expect(try await server.reaches("graphql_open_sockets 0"))
            #expect(try await server.reaches("graphql_open_subscriptions 0"))
            #expect(try await server.hasNoOpenSockets())
            #expect(try await server.send("GET", "/healthz").status == 200)
        }
    }

    private func behave(_ manner: Manner, _ server: TestServer) async throws {
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
                // The server ends it.
                while try await client.next() != .end {}
            case .breaksOffInAFrame:
                try await client.subscribe("1", "subscription { countdown(from: 1000000, milliseconds: 10) }")
                #expect(try await client.message().contains("1000000"))
                let frame = SocketClient.frame(0x81, Array(#"{"type":"ping"}"#.utf8))
                try await client.connection.outbound.write(ByteBuffer(bytes: frame.prefix(9)))
            case .neverReads:
                try await client.subscribe("1", "subscription { flood(bytes: 10000) }")
                try await Task.sleep(for: .seconds(4))
            }
        }
    }
}
