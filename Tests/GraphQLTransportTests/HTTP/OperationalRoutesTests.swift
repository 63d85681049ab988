import Glibc
import Hummingbird
import Logging
import Testing

@testable import GraphQLTransport

@Suite(.timeLimit(.minutes(10)))
struct OperationalRoutesTests {
    @Test func tellsThatItLivesAndWhetherItIsReady() async throws {
        try await TestServer.run { (server) async throws in
            #expect(try await server.send("GET", "/healthz").status == 200)
            #expect(try await server.send("GET", "/readyz").status == 200)
            #expect(try await server.send("HEAD", "/readyz").status == 200)
        }
        try await TestServer.run {
            $0.readiness = { .notReady(reason: "nothing works") }
        } _: { (server) async throws in
            #expect(try await server.send("GET", "/healthz").status == 200)
            let reply = try await server.send("GET", "/readyz")
            #expect(reply.status == 503)
            #expect(reply.body == "not ready: nothing works\n")
        }
        try await TestServer.run {
            $0.readiness = { .readsOnly }
        } _: { (server) async throws in
            let reply = try await server.send("GET", "/readyz")
            #expect(reply.status == 200)
            #expect(reply.body == "reads only\n")
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

    @Test func metricsCanBeServedApart() async throws {
        try await TestServer.run {
            $0.settings.servesMetrics = false
        } _: { (server) async throws in
            #expect(try await server.send("GET", "/metrics").status == 404)
            let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
            let apart = MetricsServer(server.metrics, host: "127.0.0.1", port: 0, logger: Logger(label: "test")) {
                continuation.yield($0)
            }
            let serving = Task { try await apart.run() }
            var port = 0
            for await listening in ports {
                port = listening
                break
            }
            let there = server.at(port: port)
            #expect(try await there.send("GET", "/metrics").body.contains("graphql_document_cache_entries 0\n"))
            #expect(try await there.send("GET", "/graphql?query=%7Bhello%7D").status == 404)
            serving.cancel()
            _ = await serving.result
        }
    }

    @Test func aPortInUseIsNamed() async throws {
        try await TestServer.run { (server) async throws in
            let second = MetricsServer(
                server.metrics, host: "127.0.0.1", port: server.port, logger: Logger(label: "test"))
            let error = await #expect(throws: ListeningFailure.self) { try await second.run() }
            #expect(error == ListeningFailure(host: "127.0.0.1", port: server.port, errorCode: EADDRINUSE))
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
