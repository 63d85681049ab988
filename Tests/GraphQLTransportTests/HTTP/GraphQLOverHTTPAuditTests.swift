import Testing

@Suite(.timeLimit(.minutes(10)))
struct GraphQLOverHTTPAuditTests {
    @Test(arguments: Audit.all)
    func passes(_ audit: Audit) async throws {
        try await TestServer.run { (server) async throws in
            var headers = [(String, String)]()
            if let accept = audit.accept { headers.append(("Accept", accept)) }
            if let contentType = audit.contentType { headers.append(("Content-Type", contentType)) }
            let reply = try await server.send(audit.method, "/graphql" + audit.query, headers, body: audit.body)
            switch audit.status {
            case .exactly(let status): #expect(reply.status == status)
            case .between(let low, let high): #expect((low...high).contains(reply.status))
            }
            if let type = audit.answersWith { #expect(reply["Content-Type"] == "\(type); charset=utf-8") }
            #expect(reply.json["data"] != nil || reply.json["errors"] != nil)
            if audit.hasNoErrors { #expect(reply.json["errors"] == nil) }
            if audit.hasNoData { #expect(reply.json["data"] == nil) }
        }
    }

    @Test func everyAuditHasItsOwnID() {
        #expect(Set(Audit.all.map(\.id)).count == Audit.all.count)
        #expect(Audit.all.count == 61)
    }
}
