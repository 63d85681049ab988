import GraphQL
import GraphQLTransport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AccessLogTests {
    @Test func tellsNamesAndNoValues() async throws {
        try await TestServer.run { (server) async throws in
            _ = try await server.post(
                #"{"query":"query Greeting($n: String) { hello(name: $n) secret }","variables":{"n":"hunter2"}}"#,
                [("Authorization", "Bearer tok3n")])
            let line = try await server.log.line(with: "Greeting")
            let json = try parseJSON(Array(line.utf8))
            #expect(json["operation"] == .string("Greeting"))
            #expect(json["operation_type"] == .string("query"))
            #expect(json["status"] == .int(200))
            #expect(json["method"] == .string("POST"))
            #expect(json["path"] == .string("/graphql"))
            #expect(json["outcome"] == .string("partial"))
            #expect(json["error_codes"] == .string("FORBIDDEN"))
            #expect(json["document"].text.map { $0.utf8.count } == 64)
            #expect(server.log.all.allSatisfy { !$0.contains("hunter2") && !$0.contains("tok3n") })
        }
    }

    @Test func leavesOutTheQueryOfAnAddress() async throws {
        try await TestServer.run { (server) async throws in
            _ = try await server.send("GET", "/graphql?query=%7Bhello%7D&variables=%7B%22s%22%3A%22hunter2%22%7D")
            _ = try await server.log.line(with: #""path":"/graphql""#)
            #expect(server.log.all.allSatisfy { !$0.contains("hunter2") })
        }
    }

    @Test func tellsOnlyOfProblemsWhereAskedTo() async throws {
        try await TestServer.run {
            $0.settings.accessLog = .problems
        } _: { (server) async throws in
            _ = try await server.post(#"{"query":"query Fine { hello }"}"#)
            _ = try await server.post(#"{"query":"query Wrong { secret }"}"#)
            _ = try await server.log.line(with: "Wrong")
            #expect(server.log.all.allSatisfy { !$0.contains("Fine") })
        }
    }
}
