import GraphQL
import GraphQLTransport
import Testing

/// What a client gets of its streams when its session ends.
@Suite(.timeLimit(.minutes(20)))
struct SessionEndTests {
    @Test func aSocketIsClosedAfterTheLastWord() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open(payload: #"{"accessToken":"parting"}"#)
                try await client.subscribe("f", "subscription { farewell }")
                #expect(try await client.message().contains("Hello"))
                try await client.subscribe("s", "subscription { silence }")
                #expect(try await server.reaches("graphql_open_subscriptions 2"))
                TestContext.endSession(of: "parting")
                #expect(
                    try await client.message()
                        == #"{"id":"f","type":"next","payload":{"data":{"farewell":"Goodbye"}}}"#)
                #expect(try await client.message() == #"{"id":"f","type":"complete"}"#)
                #expect(try await client.message() == "4403: Forbidden: the session has ended")
                #expect(try await server.reaches("graphql_open_subscriptions 0"))
            }
        }
    }

    @Test func aSocketIsClosedWhereItDoesNotEnd() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open(payload: #"{"accessToken":"staying on"}"#)
                try await client.subscribe("f", "subscription { farewell(staysOn: true) }")
                #expect(try await client.message().contains("Hello"))
                TestContext.endSession(of: "staying on")
                #expect(try await client.message().contains("Goodbye"))
                #expect(try await client.message() == "4403: Forbidden: the session has ended")
                #expect(try await server.reaches("graphql_open_subscriptions 0"))
            }
        }
    }

    /// A subscription that is stopped while another sends its last events; the former has a position at once.
    private func part(
        _ viewer: String, gate: String, _ server: TestServer, _ client: inout SocketClient
    ) async throws {
        try await client.open(payload: #"{"accessToken":"\#(viewer)"}"#)
        try await client.subscribe("s", "subscription { pages(count: -1) { number } }")
        try await client.subscribe("p", #"subscription { parting(gate: \"\#(gate)\") { text } }"#)
        #expect(try await server.reaches("graphql_open_subscriptions 2"))
        TestContext.endSession(of: viewer)
        #expect(try await client.message().hasPrefix(#"{"type":"ping","payload":{"cursor":""#))
        #expect(try await client.message().contains("Goodbye"))
    }

    /// It would lead the client past events of the subscription that was stopped.
    @Test func noPingHasTheCursorOfTheOthersAlone() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await part("parting by pings", gate: "unproven last word", server, &client)
                while true {
                    let message = try await client.message()
                    #expect(!message.contains("cursor"))
                    if message == "4403: Forbidden: the session has ended" { break }
                    try #require(message != "end")
                }
            }
        }
    }

    @Test func theAnswerToThePingOfTheEndProvesNoLaterEvent() async throws {
        try await TestServer.run {
            $0.settings.streams.conclusionTimeout = .minutes(1)
        } _: { (server) async throws in
            try await server.socket { (client) async throws in
                let gate = Gate.named("proven last word")
                try await part("parting by pongs", gate: "proven last word", server, &client)
                #expect(try await client.message() == #"{"type":"ping","payload":{"number":2}}"#)
                // The answer to the first of the two pings.
                try await client.send(#"{"type":"pong"}"#)
                try await client.send(#"{"type":"ping"}"#)
                #expect(try await client.message() == #"{"type":"pong"}"#)
                #expect(!gate.isOpen)
                try await client.send(#"{"type":"pong"}"#)
                await gate.pass()
            }
        }
    }

    /// The mutation that ends the session is answered, too.
    @Test func whatIsAskedForOnceIsAnswered() async throws {
        try await TestServer.run {
            $0.settings.streams.conclusionTimeout = .minutes(10)
        } _: { (server) async throws in
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
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post(
                    "subscription { farewell }", accept: "text/event-stream", [("Authorization", "Bearer sse-parting")])
                #expect(try await client.event().contains("Hello"))
                TestContext.endSession(of: "sse-parting")
                #expect(try await client.event().contains("Goodbye"))
                #expect(try await client.event() == "event: complete\ndata:\n\n")
            }
            try await server.stream { (client) async throws in
                _ = try await client.post(
                    "subscription { farewell(staysOn: true) }", accept: "text/event-stream",
                    [("Authorization", "Bearer sse-staying")])
                #expect(try await client.event().contains("Hello"))
                TestContext.endSession(of: "sse-staying")
                #expect(try await client.event().contains("Goodbye"))
                #expect(try await client.event().contains("UNAUTHENTICATED"))
                #expect(try await client.event() == "event: complete\ndata:\n\n")
            }
            #expect(try await server.reaches("graphql_open_subscriptions 0"))
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
            #expect(try await server.reaches("graphql_open_subscriptions 0"))
        }
    }

    /// graphql-sse, Single connection mode
    @Test func anOperationOfASharedStreamEndsAfterTheLastWord() async throws {
        try await TestServer.run { (server) async throws in
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
                    #expect(try await client.event().contains("Goodbye"))
                    if staysOn { #expect(try await client.event().contains("UNAUTHENTICATED")) }
                    #expect(try await client.event() == "event: complete\ndata: {\"id\":\"\(id)\"}\n\n")
                }
                #expect(try await server.reaches("graphql_open_subscriptions 0"))
            }
        }
    }
}
