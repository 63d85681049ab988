import GraphQL
import GraphQLTransport
import Testing

/// What a client gets of its streams when its session ends.
@Suite(.timeLimit(.minutes(10)))
struct SessionEndTests {
    @Test func aSocketIsClosedAfterTheLastWord() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open(payload: #"{"accessToken":"parting"}"#)
                try await client.subscribe("f", "subscription { farewell }")
                #expect(try await client.message().contains("Hello"))
                try await client.subscribe("s", "subscription { silence }")
                try await server.reaches("graphql_open_subscriptions 2")
                TestContext.endSession(of: "parting")
                #expect(
                    try await client.message()
                        == #"{"id":"f","type":"next","payload":{"data":{"farewell":"Goodbye"}}}"#)
                #expect(try await client.message() == #"{"id":"f","type":"complete"}"#)
                #expect(try await client.message() == "4403: Forbidden: the session has ended")
                try await server.reaches("graphql_open_subscriptions 0")
            }
        }
    }

    @Test func aSocketIsClosedWhereItDoesNotEnd() async throws {
        try await TestServer.runByManualClock { (server, clock) async throws in
            try await server.socket { (client) async throws in
                try await client.open(payload: #"{"accessToken":"staying-on"}"#)
                try await client.subscribe("f", "subscription { farewell(staysOn: true) }")
                #expect(try await client.message().contains("Hello"))
                TestContext.endSession(of: "staying-on")
                try await clock.pass(.seconds(1))
                #expect(try await client.message().contains("Goodbye"))
                try await clock.pass(.minutes(10))
                #expect(try await client.message() == "4403: Forbidden: the session has ended")
                try await server.reaches("graphql_open_subscriptions 0")
            }
        }
    }

    /// The mutation that ends the session is answered, too.
    @Test func whatIsAskedForOnceIsAnswered() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open(payload: #"{"accessToken":"asking"}"#)
                try await client.subscribe("q", #"{ gated(gate: \"asked before the end\") }"#)
                try await Gate.named("asked before the end").fill(1)
                try await client.subscribe("f", "subscription { farewell }")
                #expect(try await client.message().contains("Hello"))
                TestContext.endSession(of: "asking")
                #expect(try await client.message().contains("Goodbye"))
                #expect(try await client.message() == #"{"id":"f","type":"complete"}"#)
                try await client.subscribe("l", "{ hello }")
                #expect(try await client.message().contains("UNAUTHENTICATED"))
                Gate.named("asked before the end").open()
                #expect(try await client.message().contains("passed"))
                #expect(try await client.message() == #"{"id":"q","type":"complete"}"#)
                #expect(try await client.message() == "4403: Forbidden: the session has ended")
            }
        }
    }

    @Test func anEventStreamEndsAfterTheLastWord() async throws {
        try await TestServer.runByManualClock { (server, clock) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post(
                    "subscription { farewell }", accept: "text/event-stream", [("Authorization", "Bearer sse-parting")])
                #expect(try await client.event().contains("Hello"))
                TestContext.endSession(of: "sse-parting")
                try await clock.pass(.seconds(1))
                #expect(try await client.event().contains("Goodbye"))
                #expect(try await client.event() == "event: complete\ndata:\n\n")
            }
            try await server.stream { (client) async throws in
                _ = try await client.post(
                    "subscription { farewell(staysOn: true) }", accept: "text/event-stream",
                    [("Authorization", "Bearer sse-staying")])
                #expect(try await client.event().contains("Hello"))
                TestContext.endSession(of: "sse-staying")
                try await clock.pass(.seconds(1))
                #expect(try await client.event().contains("Goodbye"))
                try await clock.pass(.minutes(10))
                #expect(try await client.event().contains("UNAUTHENTICATED"))
                #expect(try await client.event() == "event: complete\ndata:\n\n")
            }
            try await server.reaches("graphql_open_subscriptions 0")
        }
    }

    @Test func aMultipartSubscriptionEndsAfterTheLastWord() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post(
                    "subscription { farewell }", accept: "multipart/mixed;subscriptionSpec=1.0",
                    [("Authorization", "Bearer multipart-parting")])
                _ = try await client.take(through: "Hello")
                TestContext.endSession(of: "multipart-parting")
                #expect(try await client.rest().contains("Goodbye"))
            }
            try await server.reaches("graphql_open_subscriptions 0")
        }
    }

    /// graphql-sse, Single connection mode
    @Test func anOperationOfASharedStreamEndsAfterTheLastWord() async throws {
        try await TestServer.runByManualClock { (server, clock) async throws in
            let token = try await server.send("PUT", "/graphql/stream").body
            try await server.stream { (client) async throws in
                _ = try await client.send("GET", "/graphql/stream?token=\(token)", [("Accept", "text/event-stream")])
                for (id, staysOn) in [("1", false), ("2", true)] {
                    let reply = try await server.send(
                        "POST", "/graphql/stream?token=\(token)",
                        [("Content-Type", "application/json"), ("Authorization", "Bearer shared-\(id)")],
                        body: """
                            {"query":"subscription { farewell(staysOn: \(staysOn)) }","extensions":{"operationId":"\(id)"}}
                            """)
                    #expect(reply.status == 202)
                    #expect(try await client.event().contains("Hello"))
                    TestContext.endSession(of: "shared-\(id)")
                    try await clock.pass(.seconds(1))
                    #expect(try await client.event().contains("Goodbye"))
                    if staysOn {
                        try await clock.pass(.minutes(10))
                        #expect(try await client.event().contains("UNAUTHENTICATED"))
                    }
                    #expect(try await client.event() == "event: complete\ndata: {\"id\":\"\(id)\"}\n\n")
                }
                try await server.reaches("graphql_open_subscriptions 0")
            }
        }
    }
}
