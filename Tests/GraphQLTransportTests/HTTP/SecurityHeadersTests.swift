import Testing

@Suite(.timeLimit(.minutes(10)))
struct SecurityHeadersTests {
    @Test(arguments: ["/graphql?query=%7Bhello%7D", "/healthz", "/nowhere"])
    func areOnEveryAnswer(_ target: String) async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.send("GET", target)
            #expect(reply["X-Content-Type-Options"] == "nosniff")
            #expect(reply["Cache-Control"] == "no-store")
            #expect(reply["Referrer-Policy"] == "no-referrer")
            #expect(reply["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'")
            #expect(reply["Date"]?.hasSuffix(" GMT") == true)
            #expect(reply["Server"] == nil)
        }
    }
}
