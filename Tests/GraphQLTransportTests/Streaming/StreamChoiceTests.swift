import GraphQL
import GraphQLTransport
import Testing

/// The choice between a stream and an answer in one piece, where it depends on the operation.
@Suite(.timeLimit(.minutes(20)))
struct StreamChoiceTests {
    private static let accept =
        "multipart/mixed;deferSpec=20220824, multipart/mixed;subscriptionSpec=1.0, application/json"

    /// Credentials are checked with and without waiting.
    private func run(_ body: @escaping @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run { (server) async throws in try await body(server) }
        try await TestServer.run {
            $0.authenticateSynchronously = { head in
                if head.authorization == "Bearer expired" {
                    throw GraphQLError("The session has ended.", code: .unauthenticated)
                }
                return TestContext(viewer: nil, requestID: head.requestID.description)
            }
        } _: { (server) async throws in
            try await body(server)
        }
    }

    @Test func followsFromTheOperation() async throws {
        try await run { (server) async throws in
            try await server.stream { (client) async throws in
                let whole = try await client.post("{ hello }", accept: Self.accept)
                #expect(whole["Content-Type"]?.hasPrefix("application/json") == true)
                #expect(whole.data?["hello"] == .string("Hello world"))
                let parts = try await client.post(
                    "{ hello ... @defer { words } }", accept: Self.accept)
                #expect(parts["Content-Type"]?.contains("deferSpec=20220824") == true)
                #expect(try await client.rest().contains("cherry"))
                let events = try await client.post("subscription { ticks }", accept: Self.accept)
                #expect(events["Content-Type"]?.contains("subscriptionSpec=1.0") == true)
                #expect(try await client.rest().contains(#""ticks":3"#))
                let last = try await client.post("{ hello }", accept: Self.accept)
                #expect(last.data?["hello"] == .string("Hello world"))
            }
            let head = try await server.send(
                "HEAD", "/graphql?query=subscription%7Bticks%7D", [("Accept", Self.accept)])
            #expect(head.status == 406)
        }
    }

    @Test func anInvalidDocumentIsValidatedOnce() async throws {
        try await run { (server) async throws in
            let reply = try await server.post(#"{"query":"{ nope }"}"#, accept: Self.accept)
            #expect(reply.errorCodes == ["GRAPHQL_VALIDATION_FAILED"])
            #expect(try await server.reaches(#"graphql_document_cache_lookups_total{result="miss"} 1"#))
        }
    }

    @Test func aRefusedClientsDocumentIsNotParsed() async throws {
        try await run { (server) async throws in
            let reply = try await server.post(
                #"{"query":"subscription { ticks }"}"#, accept: Self.accept, [("Authorization", "Bearer expired")])
            #expect(reply.errorCodes == ["UNAUTHENTICATED"])
            #expect(try await server.reaches(#"graphql_document_cache_lookups_total{result="miss"} 0"#))
        }
    }
}
