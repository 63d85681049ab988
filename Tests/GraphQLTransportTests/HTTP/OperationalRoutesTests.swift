import GraphQLTransport
import Hummingbird
import Testing

struct OperationalRoutesTests {
    @Test func tellsThatItLivesAndWhetherItIsReady() async throws {
        try await TestServer.run { (server) async throws in
            #expect(try await server.send("GET", "/healthz").status == 200)
            #expect(try await server.send("GET", "/readyz").status == 200)
            #expect(try await server.send("HEAD", "/readyz").status == 200)
        }
        try await TestServer.run {
            $0.isReady = { false }
        } _: { (server) async throws in
            #expect(try await server.send("GET", "/healthz").status == 200)
            #expect(try await server.send("GET", "/readyz").status == 503)
        }
    }

    @Test func servesTheSchema() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.send("GET", "/schema.graphql")
            #expect(reply.body == TestSchema.definitions)
            #expect(reply["Content-Type"] == "application/graphql; charset=utf-8")
        }
        try await TestServer.run {
            $0.settings.isSchemaPublic = false
        } _: { (server) async throws in
            #expect(try await server.send("GET", "/schema.graphql").status == 404)
        }
    }

    @Test func counts() async throws {
        try await TestServer.run { (server) async throws in
            for _ in 0..<3 { _ = try await server.post(#"{"query":"{ hello }"}"#) }
            let reply = try await server.send("GET", "/metrics")
            #expect(reply["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(
                reply.body.contains(
                    "graphql_operation_duration_seconds_count{type=\"query\",outcome=\"success\"} 3\n"))
            #expect(reply.body.contains("graphql_document_cache_lookups_total{result=\"hit\"} 2\n"))
            #expect(reply.body.contains("graphql_document_cache_entries 1\n"))
        }
    }

    @Test func servesRoutesOfOthers() async throws {
        try await TestServer.run {
            $0.addRoutes = { router in
                router.get("images/:id") { _, context in "image \(context.parameters.get("id") ?? "")" }
            }
        } _: { (server) async throws in
            let reply = try await server.send("GET", "/images/7")
            #expect(reply.body == "image 7")
            #expect(reply["X-Content-Type-Options"] == "nosniff")
            #expect(try await server.send("GET", "/nowhere").status == 404)
            #expect(try await server.send("GET", "/graphqlx").status == 404)
        }
    }

    @Test func sendsChunksWhereTheLengthIsUnknown() async throws {
        try await TestServer.run {
            $0.addRoutes = { router in
                router.get("stream") { _, _ in
                    Response(
                        status: .ok,
                        body: ResponseBody { writer in
                            for part in ["one ", "two ", "three"] { try await writer.write(ByteBuffer(string: part)) }
                            try await writer.finish(nil)
                        })
                }
            }
        } _: { (server) async throws in
            let reply = try await server.send("GET", "/stream")
            #expect(reply["Transfer-Encoding"] == "chunked")
            #expect(reply.body == "one two three")
        }
    }
}
