import Testing

@testable import GraphQLTransport

struct TraceContextTests {
    @Test func reachesTheLog() async throws {
        try await TestServer.run { (server) async throws in
            let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            _ = try await server.post(#"{"query":"{ hello }"}"#, [("traceparent", trace)])
            #expect(try await server.log.line(with: #""trace_id":"4bf92f3577b34da6a3ce929d0e0e4736""#) != nil)
        }
    }
}
