import GraphQLTransport
import Testing

/// What the head of a request decides.
@Suite(.timeLimit(.minutes(10)))
struct RequestRulesTests {
    private let query = #"{"query":"{ hello }"}"#

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "multipart/mixed; boundary=x",
        "application/jsonx",
        "application/json; charset=iso-8859-1", "application/graphql", "nonsense",
    ])
    func refusesOtherContentTypes(_ type: String) async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.send("POST", "/graphql", [("Content-Type", type)], body: query)
            #expect(reply.status == 415)
            #expect(reply.errorCodes == ["BAD_REQUEST"])
        }
    }

    @Test(arguments: ["application/json; charset=UTF-8", "APPLICATION/JSON", "application/json; charset=\"utf-8\""])
    func takesJSONInUTF8(_ type: String) async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.send("POST", "/graphql", [("Content-Type", type)], body: query)
            #expect(reply.status == 200)
            #expect(reply.data?["hello"] == .string("Hello world"))
        }
    }

    @Test func refusesCompressedBodies() async throws {
        try await TestServer.run { (server) async throws in
            let headers = [("Content-Type", "application/json; charset=utf-8"), ("Content-Encoding", "gzip")]
            #expect(try await server.send("POST", "/graphql", headers, body: query).status == 415)
            let plain = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")]
            #expect(try await server.send("POST", "/graphql", plain, body: query).status == 415)
        }
    }

    @Test(arguments: ["image/png", "application/json; q=0", "application/json; charset=utf-16", "text/csv, image/*"])
    func refusesWhatItCannotAnswerWith(_ accept: String) async throws {
        try await TestServer.run { (server) async throws in
            #expect(try await server.post(query, accept: accept).status == 406)
        }
    }

    @Test(arguments: ["PUT", "DELETE", "PATCH", "TRACE"])
    func namesTheMethodsThatItTakes(_ method: String) async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.send(method, "/graphql")
            #expect(reply.status == 405)
            #expect(reply["Allow"] == "GET, HEAD, POST")
        }
    }

    @Test func refusesMutationsByGET() async throws {
        try await TestServer.run { (server) async throws in
            for accept in ["application/json", "application/graphql-response+json"] {
                let reply = try await server.send("GET", "/graphql?query=mutation%7Btouch%7D", [("Accept", accept)])
                #expect(reply.status == 405)
                #expect(reply["Allow"] == "POST")
            }
            #expect(try await server.post(#"{"query":"mutation { touch }"}"#).data?["touch"] == .int(1))
        }
    }

    @Test func answersHEADLikeGETWithoutABody() async throws {
        try await TestServer.run { (server) async throws in
            let get = try await server.send("GET", "/graphql?query=%7Bhello%7D")
            let head = try await server.send("HEAD", "/graphql?query=%7Bhello%7D")
            #expect(head.status == 200)
            #expect(head["Content-Length"] == get["Content-Length"])
            #expect(head.body.isEmpty)
        }
    }

    @Test func tellsItsMethodsToOPTIONS() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.send("OPTIONS", "/graphql")
            #expect(reply.status == 204)
            #expect(reply["Allow"] == "GET, HEAD, POST")
        }
    }
}
