import GraphQL
import GraphQLTransport
import Testing

/// The figures of an operation, for a request that asks for them.
@Suite(.timeLimit(.minutes(10)))
struct CostExtensionTests {
    private let query = "query($id: ID!) { one: book(id: $id) { next { id } } }"

    private func body(_ cost: String) -> String {
        "{\"query\":\"\(query)\",\"variables\":{\"id\":1},\"extensions\":{\"cost\":\(cost)}}"
    }

    private func figure(_ actual: Int, _ maximum: Int) -> InputValue {
        .object(InputObject([(name: "actual", value: .int(actual)), (name: "maximum", value: .int(maximum))]))
    }

    @Test func aRequestMayAskForThem() async throws {
        try await TestServer.run { (server) async throws in
            let cost = try await server.post(body("true")).json["extensions"]?["cost"]
            #expect(cost?["depth"] == figure(3, 12))
            #expect(cost?["aliases"] == figure(1, 30))
            #expect(cost?["rootFields"] == figure(1, 20))
            #expect(cost?["directives"] == figure(0, 4))
            #expect(cost?["cost"] == figure(2, 2_000))
        }
    }

    @Test(arguments: ["false", "null", "1", "{}"])
    func othersDoNotGetThem(_ value: String) async throws {
        try await TestServer.run { (server) async throws in
            #expect(try await server.post(body(value)).json["extensions"] == nil)
        }
    }

    @Test func aCheckHasThemWithoutRunning() async throws {
        try await TestServer.run { (server) async throws in
            let check = body("true").replacing("\"cost\":true", with: "\"cost\":true,\"check\":true")
            let reply = try await server.post(check)
            #expect(reply.status == 200)
            #expect(reply.json["data"] == .null)
            #expect(reply.json["extensions"]?["cost"]?["depth"] == figure(3, 12))
            let wrong = try await server.post(check.replacing("next", with: "nowhere"))
            #expect(wrong.errorCodes == ["GRAPHQL_VALIDATION_FAILED"])
        }
    }

    @Test func aRefusalHasThemToo() async throws {
        try await TestServer.run {
            $0.settings.queryLimits.depth = 2
            $0.settings.queryLimits.cost = 1
        } _: { (server) async throws in
            let reply = try await server.post(body("true"), accept: "application/graphql-response+json")
            #expect(reply.status == 400)
            #expect(reply.json["extensions"]?["cost"]?["depth"] == figure(3, 2))
            #expect(reply.errorCodes == ["QUERY_TOO_COMPLEX", "QUERY_TOO_COMPLEX"])
            guard case .list(let errors)? = reply.json["errors"] else { return #expect(Bool(false)) }
            for (error, limit) in zip(errors, [("depth", 2, 3), ("cost", 1, 2)]) {
                #expect(error["extensions"]?["limit"] == .string(limit.0))
                #expect(error["extensions"]?["maximum"] == .int(limit.1))
                #expect(error["extensions"]?["actual"] == .int(limit.2))
            }
        }
    }
}
