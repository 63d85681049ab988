import GraphQL
import GraphQLTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DrainTests {
    @Test func finishesWhatIsInFlightAndThenStops() async throws {
        try await TestServer.run { (server) async throws in
            try await withThrowingTaskGroup(of: HTTPReply.self) { requests in
                for _ in 0..<20 {
                    requests.addTask { try await server.post(#"{"query":"{ gated(gate: \"drain\") }"}"#) }
                }
                try await Gate.named("drain").fill(20)
                await server.stop()
                Gate.named("drain").open()
                for try await reply in requests {
                    #expect(reply.data?["gated"] == .string("passed"))
                }
            }
        }
    }

    @Test func isNotReadyOnceItStops() async throws {
        try await TestServer.runByManualClock {
            // The loop below does not reach these limits.
            $0.settings.limits.drainTimeout = .hours(24)
            $0.settings.limits.idleTimeout = .hours(24)
        } _: { (server, clock) async throws in
            try await server.connect { (connection) async throws in
                try await connection.write("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await connection.reply().status == 200)
                await server.stop()
                try await eventually("the end of new connections") {
                    (try? await server.send("GET", "/healthz")) == nil
                }
                try await connection.write("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await connection.reply().status == 503)
                // If the drain began before this answer, the server closes the connection after it; otherwise half a
                // second after the drain begins.
                try await eventually("the end of the connection") {
                    try await clock.pass(.milliseconds(500))
                    return server.has("http_connections 0")
                }
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    /// Load balancers ask `/readyz` on connections of their own, and send requests until they have read it.
    @Test func acceptsConnectionsUntilTheDelayIsOver() async throws {
        let delay = Duration.seconds(3600)
        await #expect(throws: CancellationError.self) {
            try await TestServer.run {
                $0.settings.shutdownDelay = delay
            } _: { (server) async throws in
                #expect(try await server.send("GET", "/readyz").status == 200)
                await server.stop()
                try await eventually("the server says that it stops") {
                    try await server.send("GET", "/readyz").status == 503
                }
                #expect(try await server.send("GET", "/healthz").status == 200)
                #expect(try await server.post(#"{"query":"{ __typename }"}"#).data?["__typename"] == .string("Query"))
                // The delay outlasts the test.
                throw CancellationError()
            }
        }
    }

    /// Some of the clients connect in the moment in which the server stops listening. A connection that it accepted and did
    /// not answer would hold up the drain.
    @Test func drainsAfterTheDelay() async throws {
        try await TestServer.run {
            $0.settings.shutdownDelay = .milliseconds(100)
        } _: { (server) async throws in
            async let reply = server.post(#"{"query":"{ gated(gate: \"delayed\") }"}"#)
            try await Gate.named("delayed").fill(1)
            await server.stop()
            await withTaskGroup(of: Void.self) { clients in
                for _ in 0..<16 {
                    clients.addTask { while (try? await server.send("GET", "/healthz")) != nil {} }
                }
            }
            Gate.named("delayed").open()
            let data = try await reply.data
            #expect(data?["gated"] == .string("passed"))
        }
    }

    @Test func doesNotWaitForeverForOneOperation() async throws {
        try await TestServer.run {
            $0.settings.limits.drainTimeout = .seconds(1)
        } _: { (server) async throws in
            try await server.connect { (connection) async throws in
                let body = #"{"query":"{ gated(gate: \"never passed\") }"}"#
                try await connection.write(
                    "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                try await Gate.named("never passed").fill(1)
                await server.stop()
                #expect(await connection.rest().isEmpty)
            }
        }
    }
}
