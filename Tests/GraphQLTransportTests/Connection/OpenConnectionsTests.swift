import Glibc
import GraphQL
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import GraphQLTransport

@Suite(.timeLimit(.minutes(10)))
struct OpenConnectionsTests {
    private let strict = "application/graphql-response+json"
    private let body = #"{"query":"{ __typename }"}"#

    private func request(_ address: String? = nil) -> String {
        "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: \(strict)\r\n"
            + (address.map { "X-Forwarded-For: \($0)\r\n" } ?? "")
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// Connections that were answered once, one inside the other, while `body` runs.
    private func holding(
        _ count: Int, _ server: TestServer, _ body: @Sendable () async throws -> Void
    ) async throws {
        if count == 0 { return try await body() }
        try await server.connect { (connection) async throws in
            try await connection.write(request())
            #expect(try await connection.reply().status == 200)
            try await holding(count - 1, server, body)
        }
    }

    /// Waits until a connection that is no longer counted leaves its place.
    private func waitForAPlace(_ server: TestServer) async throws {
        try await eventually("a place") { try await server.post(body).status == 200 }
    }

    /// A probe that others have pushed away from the door comes again.
    private func waitUntilReady(_ server: TestServer) async throws {
        try await eventually("a probe's answer") { (try? await server.send("GET", "/readyz"))?.status == 200 }
    }

    private func expectOverloaded(_ reply: HTTPReply) {
        #expect(reply.status == 503)
        #expect(reply.errorCodes == ["OVERLOADED"])
        let wait = reply["Retry-After"].flatMap(Int.init) ?? 0
        #expect((1...4).contains(wait))
        #expect(reply.body.contains(#""retryAfter":\#(wait)}"#))
        #expect(reply["Connection"] == "close")
    }

    /// The manual clock stands still. By the real one an overflow connection would have two seconds for its request.
    @Test func beyondTheLimitOnlyHealthIsAnswered() async throws {
        try await TestServer.runByManualClock {
            $0.settings.connections = 4
        } _: { (server, _) async throws in
            try await holding(4, server) { () async throws in
                for _ in 0..<3 { expectOverloaded(try await server.post(body, accept: strict)) }
                #expect(try await server.send("GET", "/healthz").status == 200)
                #expect(try await server.send("GET", "/readyz").body == "ready\n")
                expectOverloaded(try await server.send("GET", "/schema.graphql"))
            }
            try await waitForAPlace(server)
            #expect(server.metrics.text.contains("http_connections_turned_away_total"))
        }
    }

    /// Whoever connects and says nothing holds no place that a probe needs.
    @Test func theDoorIsNotBlockedByThoseWhoSayNothing() async throws {
        try await TestServer.run {
            $0.settings.connections = 1
        } _: { (server) async throws in
            try await holding(1, server) { () async throws in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<200 {
                        group.addTask {
                            // Sent away without an answer, sooner or later.
                            try? await server.connect { (connection) async throws in _ = await connection.rest() }
                        }
                    }
                    for _ in 0..<20 { try await waitUntilReady(server) }
                    try await group.waitForAll()
                }
            }
        }
    }

    /// The manual clock stands still. By the real one an overflow connection would have two seconds for its request.
    @Test func anAddressHasItsShare() async throws {
        try await TestServer.runByManualClock {
            $0.settings.connectionsPerAddress = 3
        } _: { (server, _) async throws in
            try await holding(3, server) { () async throws in
                expectOverloaded(try await server.post(body, accept: strict))
                #expect(try await server.send("GET", "/healthz").status == 200)
            }
            try await waitForAPlace(server)
        }
    }

    /// A proxy's connections are many clients', who count by their requests.
    @Test func behindAProxyAClientHasItsShareOfRequests() async throws {
        try await TestServer.run {
            $0.settings.connectionsPerAddress = 2
            $0.settings.proxies.count = 1
        } _: { (server) async throws in
            try await holding(5, server) { () async throws in
                let slow = #"{"query":"{ gated(gate: \"share\") }"}"#
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<2 {
                        group.addTask {
                            var status = 503
                            // One of the requests below may be before it.
                            try await eventually("a client's share") {
                                status = try await server.post(slow, [("X-Forwarded-For", "2001:db8::1")]).status
                                return status != 503
                            }
                            return status
                        }
                    }
                    // The same client from another address of its /64, until both requests have arrived.
                    var refused: HTTPReply?
                    try await eventually("a refusal") {
                        let reply = try await server.post(body, accept: strict, [("X-Forwarded-For", "2001:db8::2")])
                        if reply.status == 503 { refused = reply }
                        return refused != nil
                    }
                    // The test's own request asks for the end of the connection.
                    expectOverloaded(try #require(refused))
                    let other = try await server.post(body, [("X-Forwarded-For", "2001:db8:0:1::1")])
                    #expect(other.status == 200)
                    Gate.named("share").open()
                    for try await status in group { #expect(status == 200) }
                }
                // One connection brings many clients after another, and keeps none of them.
                try await server.connect { (connection) async throws in
                    for number in 0..<20 {
                        try await connection.write(request("192.0.2.\(number % 2)"))
                        #expect(try await connection.reply().status == 200)
                    }
                }
            }
        }
    }

    @Test(arguments: [
        (20_000, Int.max, 20_000), (20_000, 1_048_576, 20_000), (20_000, 1_024, 768), (100, 1_024, 100),
        (20_000, 256, 64), (20_000, 64, 16),
    ])
    func descriptorsAreKeptForTheRest(_ connections: Int, _ descriptors: Int, _ maximum: Int) {
        #expect(OpenConnections.maximum(connections, descriptors: descriptors) == maximum)
    }

    @Test func acceptingStopsAndBeginsAgainLater() {
        var settings = ServerSettings()
        settings.connections = 100
        let connections = OpenConnections(settings, descriptors: 10_000, metrics: MetricRegistry())
        for _ in 0..<227 { connections.connectionOpened() }
        #expect(connections.isAcceptingNewConnections())
        connections.connectionOpened()
        #expect(!connections.isAcceptingNewConnections())
        // Not at once: each change costs.
        for _ in 0..<31 { connections.connectionClosed() }
        #expect(!connections.isAcceptingNewConnections())
        connections.connectionClosed()
        #expect(connections.isAcceptingNewConnections())
    }

    @Test func addressesAreForgottenWithTheirConnections() throws {
        let connections = OpenConnections(ServerSettings(), descriptors: 10_000, metrics: MetricRegistry())
        for number in 0..<100 {
            let channel = EmbeddedChannel()
            try channel.connect(to: SocketAddress(ipAddress: "192.0.2.\(number)", port: 1)).wait()
            connections.connectionOpened()
            #expect(!connections.enter(channel).isOverflow)
            #expect(connections.addressCount == 1)
            try channel.close().wait()
            channel.embeddedEventLoop.run()
            #expect(connections.addressCount == 0)
            connections.connectionClosed()
        }
    }
}

struct DescriptorsTests {
    @Test func theSoftLimitIsRaisedToTheHardOne() {
        let raised = Descriptors.raiseLimit()
        #expect(raised == Descriptors.limit)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #expect(limit.rlim_cur == limit.rlim_max)
    }
}
