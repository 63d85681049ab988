import Testing

@testable import GraphQLTransport

@Suite(.timeLimit(.minutes(10)))
struct RequestIDTests {
    @Test func takesHarmlessOnes() { #expect(RequestID(client: "a-Z_0.9")?.description == "a-Z_0.9") }

    @Test(arguments: ["", "a b", "a\nb", "é", "\"", String(repeating: "a", count: 65)])
    func refusesOthers(_ text: String) { #expect(RequestID(client: text) == nil) }

    @Test func makesDifferentOnes() {
        let ids = (0..<1_000).map { _ in RequestID.make().description }
        #expect(Set(ids).count == 1_000)
        #expect(ids.allSatisfy { $0.utf8.count == 24 && RequestID(client: $0) != nil })
    }

    @Test func answersWithTheClientsOrAnother() async throws {
        try await TestServer.run { (server) async throws in
            let body = #"{"query":"{ requestId }"}"#
            let given = try await server.post(body, [("X-Request-Id", "mine")])
            #expect(given["X-Request-Id"] == "mine")
            #expect(given.data?["requestId"] == .string("mine"))
            let made = try await server.post(body, [("X-Request-Id", "not harmless!")])
            #expect(made["X-Request-Id"].map { $0.utf8.count } == 24)
        }
    }
}
