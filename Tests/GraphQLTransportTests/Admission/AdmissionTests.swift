import GraphQL
import GraphQLTransport
import Testing

/// What clients see of admission, over every protocol.
@Suite(.timeLimit(.minutes(10)))
struct AdmissionTests {
    /// One look-up runs, another waits. `gated` costs nothing, so it is a look-up.
    private static func limit(_ server: inout GraphQLServer<TestContext>) {
        var limits = AdmissionLimits()
        limits.lookups = .init(running: 1, waiting: 1, target: .minutes(10))
        limits.longestWait = .minutes(10)
        server.settings.admission = limits
    }

    private static func gated(_ gate: String) -> String { #"{"query":"{ gated(gate: \"\#(gate)\") }"}"# }

    /// A server whose places for look-ups are taken until the gate opens. The document of the gate is known to it.
    private func whileFull(
        _ gate: String, _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.run(Self.limit) { (server) async throws in
            async let first = server.post(Self.gated(gate))
            try await Gate.named(gate).fill(1)
            async let second = server.post(Self.gated(gate))
            try await server.reaches(#"graphql_operations_waiting{kind="lookup"} 1"#)
            try await body(server)
            Gate.named(gate).open()
            for reply in try await [first, second] { #expect(reply.data?["gated"] == .string("passed")) }
            try await server.reaches(#"graphql_operations_running{kind="lookup"} 0"#)
        }
    }

    @Test(arguments: ["application/json", "application/graphql-response+json"])
    func whatIsRefusedSaysSo(_ mediaType: String) async throws {
        let gate = "admission \(mediaType.count)"
        try await whileFull(gate) { (server) async throws in
            let reply = try await server.post(Self.gated(gate), accept: mediaType)
            #expect(reply.status == 503)
            #expect(reply.errorCodes == ["OVERLOADED"])
            #expect(reply.data == nil)
            #expect(reply["Content-Type"]?.hasPrefix(mediaType) == true)
            let seconds = try #require(reply["Retry-After"].flatMap { Int($0) })
            #expect(1...4 ~= seconds)
            #expect(reply.body.contains(#""retryAfter":\#(seconds)"#))
            try await server.reaches(#"graphql_operations_shed_total{kind="lookup"} 1"#)
            // A flood of refusals does not flood the log.
            #expect(!server.log.all.contains { $0.contains("OVERLOADED") })
        }
    }

    /// An operation that needs nobody else is answered.
    @Test func whatDoesNotWaitIsNotJudged() async throws {
        try await TestServer.run(Self.limit) { (server) async throws in
            #expect(try await server.post(#"{"query":"{ hello }"}"#).status == 200)
            async let full = server.post(Self.gated("admission hello"))
            try await Gate.named("admission hello").fill(1)
            #expect(try await server.post(#"{"query":"{ hello }"}"#).data?["hello"] == .string("Hello world"))
            Gate.named("admission hello").open()
            _ = try await full
        }
    }

    @Test func anUnknownDocumentIsNotParsed() async throws {
        try await whileFull("admission unknown") { (server) async throws in
            #expect(try await server.post(#"{"query":"{ hello("}"#).errorCodes == ["OVERLOADED"])
        }
    }

    @Test func aSocketGetsAnError() async throws {
        try await whileFull("admission socket") { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", #"{ gated(gate: \"admission socket\") }"#)
                let message = try await client.message()
                #expect(message.hasPrefix(#"{"id":"1","type":"error","payload":[{"message":"#), "\(message)")
                #expect(message.contains(#""code":"OVERLOADED","retryAfter":"#), "\(message)")
            }
        }
    }

    @Test func anEventStreamGetsAnError() async throws {
        try await whileFull("admission stream") { (server) async throws in
            try await server.stream { (client) async throws in
                let head = try await client.post(
                    #"{ gated(gate: \"admission stream\") }"#, accept: "text/event-stream")
                #expect(head.status == 200)
                let event = try await client.event()
                #expect(event.hasPrefix("event: next\n") && event.contains(#""code":"OVERLOADED""#), "\(event)")
                #expect(try await client.event() == "event: complete\ndata:\n\n")
            }
        }
    }

    /// The place of whoever no longer waits is free.
    @Test func whoeverLeavesGivesTheirPlaceUp() async throws {
        try await TestServer.run(Self.limit) { (server) async throws in
            async let first = server.post(Self.gated("admission leaves"))
            try await Gate.named("admission leaves").fill(1)
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", #"{ gated(gate: \"admission leaves\") }"#)
                try await server.reaches(#"graphql_operations_waiting{kind="lookup"} 1"#)
                try await client.send(#"{"id":"1","type":"complete"}"#)
                try await server.reaches(#"graphql_operations_waiting{kind="lookup"} 0"#)
            }
            Gate.named("admission leaves").open()
            let reply = try await first
            #expect(reply.data?["gated"] == .string("passed"))
        }
    }

    @Test func aWaitThatIsTooLongEnds() async throws {
        try await TestServer.run { server in
            Self.limit(&server)
            server.settings.admission?.longestWait = .milliseconds(50)
        } _: { (server) async throws in
            async let first = server.post(Self.gated("admission long"))
            try await Gate.named("admission long").fill(1)
            let second = try await server.post(Self.gated("admission long"))
            #expect(second.status == 503)
            #expect(second.errorCodes == ["OVERLOADED"])
            Gate.named("admission long").open()
            let reply = try await first
            #expect(reply.status == 200)
        }
    }

    /// A queue behind admission has no room, such as a pool's.
    @Test(arguments: ["application/json", "application/graphql-response+json"])
    func aQueryThatIsOnlyHalfServedIsRefused(_ mediaType: String) async throws {
        try await TestServer.run { (server) async throws in
            let body = #"{"query":"{ hello crowded }"}"#
            let reply = try await server.post(body, accept: mediaType)
            #expect(reply.status == 503)
            #expect(reply.errorCodes == ["OVERLOADED"])
            #expect(reply["Retry-After"] == "3")
            #expect(reply.data == nil)
        }
    }
}
