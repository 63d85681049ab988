import GraphQLTransport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CrossOriginPolicyTests {
    private let query = #"{"query":"{ hello }"}"#
    private let preflight = [
        ("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", "authorization"),
    ]

    @Test func letsListedOriginsRead() async throws {
        try await TestServer.run {
            $0.settings.crossOrigin = CrossOriginPolicy(
                origins: .listed(["https://app.example"]), exposedHeaders: ["Tertulia-Position"])
        } _: { (server) async throws in
            let reply = try await server.post(query, [("Origin", "https://app.example")])
            #expect(reply["Access-Control-Allow-Origin"] == "https://app.example")
            #expect(reply["Access-Control-Expose-Headers"] == "X-Request-Id, Tertulia-Position")
            #expect(reply["Access-Control-Allow-Credentials"] == nil)
            #expect(reply["Vary"] == "Origin")
            let other = try await server.post(query, [("Origin", "https://app.example.evil")])
            #expect(other["Access-Control-Allow-Origin"] == nil)
            #expect(other["Vary"] == "Origin")
            let route = try await server.send("GET", "/healthz", [("Origin", "https://app.example")])
            #expect(route["Access-Control-Allow-Origin"] == "https://app.example")
        }
    }

    @Test func answersPreflights() async throws {
        try await TestServer.run {
            $0.settings.crossOrigin = CrossOriginPolicy(origins: .listed(["https://app.example"]))
        } _: { (server) async throws in
            let reply = try await server.send(
                "OPTIONS", "/graphql", preflight + [("Origin", "https://app.example")])
            #expect(reply.status == 204)
            // A browser refuses an answer that names the origin twice.
            let origins = reply.headers.filter { $0.name == "Access-Control-Allow-Origin" }.map(\.value)
            #expect(origins == ["https://app.example"])
            #expect(
                reply.headers.filter { $0.name == "Vary" }.map(\.value) == ["Origin", "Access-Control-Request-Headers"])
            #expect(reply["Access-Control-Allow-Methods"] == "GET, HEAD, POST, PUT, DELETE")
            #expect(reply["Access-Control-Allow-Headers"] == "authorization")
            #expect(reply["Access-Control-Max-Age"] == "7200")
            let other = try await server.send("OPTIONS", "/graphql", preflight + [("Origin", "null")])
            #expect(other.status == 204)
            #expect(other["Access-Control-Allow-Origin"] == nil)
            #expect(other["Access-Control-Allow-Headers"] == nil)
        }
    }

    /// Libraries add headers of their own, such as those of Apollo and of tracing.
    @Test(arguments: [
        (
            "apollographql-client-name,baggage,sentry-trace,x-apollo-operation-id, x-requested-with",
            "apollographql-client-name, baggage, sentry-trace, x-apollo-operation-id, x-requested-with"
        ),
        ("a,,b c,d\"e,f:g,<h>,(i),~j,\u{e9},k\u{600}", "a, ~j"), ("", ""), ("*", "*"),
        ((1...32).map { "x-\($0)" }.joined(separator: ","), (1...32).map { "x-\($0)" }.joined(separator: ", ")),
        ((1...33).map { "x-\($0)" }.joined(separator: ","), ""),
        (String(repeating: "a", count: 1_024), String(repeating: "a", count: 1_024)),
        (String(repeating: "a", count: 1_025), ""),
    ])
    func allowsTheHeadersThatAreAskedFor(_ asked: String, _ allowed: String) async throws {
        try await TestServer.run {
            $0.settings.crossOrigin = CrossOriginPolicy(origins: .any)
        } _: { (server) async throws in
            let reply = try await server.send(
                "OPTIONS", "/graphql",
                [
                    ("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", asked),
                    ("Origin", "https://app.example"),
                ])
            #expect(reply.status == 204)
            #expect(reply["Access-Control-Allow-Headers"] == (allowed.isEmpty ? nil : allowed))
            #expect(reply["Vary"] == "Access-Control-Request-Headers")
        }
    }

    @Test func allowsAnyOriginWhereToldSo() async throws {
        try await TestServer.run {
            $0.settings.crossOrigin = CrossOriginPolicy(origins: .any)
        } _: { (server) async throws in
            let reply = try await server.post(query, [("Origin", "https://x.example")])
            #expect(reply["Access-Control-Allow-Origin"] == "*")
            #expect(reply["Vary"] == nil)
        }
    }

    @Test func allowsNoneByDefault() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.post(query, [("Origin", "https://x.example")])
            #expect(reply.status == 200)
            #expect(reply["Access-Control-Allow-Origin"] == nil)
        }
    }
}
