import GraphQL
import GraphQLTransport
import Testing

/// graphql-sse, Single connection mode: each row a transcript over a real socket.
@Suite(.timeLimit(.minutes(10)))
struct SingleConnectionTests {
    private func reserve(_ server: TestServer, _ headers: [(String, String)] = []) async throws -> String {
        let reply = try await server.send("PUT", "/graphql/stream", headers)
        #expect(reply.status == 201)
        #expect(reply["Content-Type"] == "text/plain; charset=utf-8")
        #expect(reply.body.utf8.count == 32)
        return reply.body
    }

    private func operate(
        _ server: TestServer, _ token: String?, _ id: String?, _ query: String, accept: String = "application/json"
    ) async throws -> HTTPReply {
        let extensions = id.map { #","extensions":{"operationId":"\#($0)"}"# } ?? ""
        return try await server.send(
            "POST", "/graphql/stream",
            [("Content-Type", "application/json"), ("Accept", accept)]
                + (token.map { [("X-GraphQL-Event-Stream-Token", $0)] } ?? []),
            body: #"{"query":"\#(query)"\#(extensions)}"#)
    }

    private func open(_ client: inout StreamClient, _ token: String) async throws -> HTTPReply {
        try await client.send("GET", "/graphql/stream?token=\(token)", [("Accept", "text/event-stream")])
    }

    @Test func carriesAllOperationsOverOneConnection() async throws {
        try await TestServer.run { (server) async throws in
            let token = try await reserve(server)
            try await server.stream { (client) async throws in
                let head = try await open(&client, token)
                #expect(head.status == 200)
                #expect(head["Content-Type"] == "text/event-stream; charset=utf-8")
                let query = try await operate(server, token, "1", "{ hello }")
                #expect(query.status == 202)
                #expect(query.body.isEmpty)
                #expect(
                    try await client.event()
                        == "event: next\ndata: {\"id\":\"1\",\"payload\":{\"data\":{\"hello\":\"Hello world\"}}}\n\n")
                #expect(try await client.event() == "event: complete\ndata: {\"id\":\"1\"}\n\n")
                #expect(try await operate(server, token, "1", "subscription { countdown(from: 1) }").status == 202)
                #expect(
                    try await client.event()
                        == "event: next\ndata: {\"id\":\"1\",\"payload\":{\"data\":{\"countdown\":1}}}\n\n")
                #expect(try await client.event() == "event: complete\ndata: {\"id\":\"1\"}\n\n")
                #expect(try await operate(server, token, "m", "mutation { touch }").status == 202)
                #expect(
                    try await client.event()
                        == "event: next\ndata: {\"id\":\"m\",\"payload\":{\"data\":{\"touch\":1}}}\n\n")
            }
        }
    }

    /// "conforming to the GraphQL over HTTP spec": by GET too, and with nothing but an address where a header cannot be
    /// set.
    @Test func takesAQueryByGET() async throws {
        try await TestServer.run { (server) async throws in
            let token = try await reserve(server)
            try await server.stream { (client) async throws in
                _ = try await open(&client, token)
                let query = "query=%7Bhello%7D&extensions=%7B%22operationId%22%3A%22g%22%7D&token=\(token)"
                let accept = [("Accept", "application/json")]
                #expect(try await server.send("GET", "/graphql/stream?\(query)", accept).status == 202)
                #expect(
                    try await client.event()
                        == "event: next\ndata: {\"id\":\"g\",\"payload\":{\"data\":{\"hello\":\"Hello world\"}}}\n\n")
                #expect(try await client.event() == "event: complete\ndata: {\"id\":\"g\"}\n\n")
            }
        }
    }

    @Test func answersOfAReservationWait() async throws {
        try await TestServer.run { (server) async throws in
            let token = try await reserve(server)
            #expect(try await operate(server, token, "1", "{ hello }").status == 202)
            try await server.stream { (client) async throws in
                _ = try await open(&client, token)
                #expect(try await client.event().contains("\"id\":\"1\""))
            }
        }
    }

    @Test func aDELETEStopsAnOperation() async throws {
        try await TestServer.run { (server) async throws in
            let token = try await reserve(server)
            try await server.stream { (client) async throws in
                _ = try await open(&client, token)
                #expect(try await operate(server, token, "s", "subscription { silence }").status == 202)
                try await server.reaches("graphql_open_subscriptions 1")
                let header = ("X-GraphQL-Event-Stream-Token", token)
                #expect(try await server.send("DELETE", "/graphql/stream", [header]).status == 400)
                let stopped = try await server.send("DELETE", "/graphql/stream?operationId=s", [header])
                #expect(stopped.status == 200)
                try await server.reaches("graphql_open_subscriptions 0")
                #expect(try await client.event() == "event: complete\ndata: {\"id\":\"s\"}\n\n")
                #expect(try await server.send("DELETE", "/graphql/stream?operationId=s", [header]).status == 200)
                #expect(try await server.send("DELETE", "/graphql/stream?operationId=s&token=none").status == 404)
            }
        }
    }

    @Test func refusesWhatDoesNotExist() async throws {
        try await TestServer.run { (server) async throws in
            let unknown = try await operate(server, "unknown", "1", "{ hello }")
            #expect(unknown.status == 404)
            #expect(unknown.messages == ["Stream not found"])
            #expect(try await operate(server, nil, "1", "{ hello }").status == 404)
            let stream = try await server.send("GET", "/graphql/stream?token=no", [("Accept", "text/event-stream")])
            #expect(stream.status == 404)
            #expect(try await server.send("PATCH", "/graphql/stream")["Allow"] == "GET, POST, PUT, DELETE")
        }
    }

    @Test func thereIsOneStreamAToken() async throws {
        try await TestServer.run { (server) async throws in
            let token = try await reserve(server)
            let again = try await server.send("PUT", "/graphql/stream", [("X-GraphQL-Event-Stream-Token", token)])
            #expect(again.status == 409)
            try await server.stream { (client) async throws in
                #expect(try await open(&client, token).status == 200)
                let second = try await server.send(
                    "GET", "/graphql/stream?token=\(token)", [("Accept", "text/event-stream")])
                #expect(second.status == 409)
                #expect(second.messages == ["Stream already open"])
                #expect(try await operate(server, token, "s", "subscription { silence }").status == 202)
                #expect(try await operate(server, token, "s", "{ hello }").status == 409)
            }
            // Gone with its connection, and its operations with it.
            try await server.reaches("graphql_open_subscriptions 0")
            #expect(try await operate(server, token, "1", "{ hello }").status == 404)
        }
    }

    @Test func checksRequestsBeforeTheyAreAccepted() async throws {
        try await TestServer.run { (server) async throws in
            let token = try await reserve(server)
            let missing = try await operate(server, token, nil, "{ hello }")
            #expect(missing.status == 400)
            #expect(missing.messages == ["Operation ID is missing"])
            let strict = "application/graphql-response+json"
            #expect(try await operate(server, token, "1", "{ nope }", accept: strict).status == 400)
            #expect(try await operate(server, token, "1", "{", accept: strict).errorCodes == ["GRAPHQL_PARSE_FAILED"])
            #expect(try await operate(server, token, "1", "{ hello }", accept: "text/html").status == 406)
            #expect(try await server.send("PUT", "/graphql/stream", [("Accept", "application/json")]).status == 406)
            for token in ["expired", "ended"] {
                let reply = try await server.send("PUT", "/graphql/stream", [("Authorization", "Bearer \(token)")])
                #expect(reply.status == 401)
            }
            let mutation =
                "/graphql/stream?query=mutation%7Btouch%7D&extensions=%7B%22operationId%22%3A%22m%22%7D&token=\(token)"
            #expect(try await server.send("GET", mutation).status == 405)
            // None of them took the id.
            #expect(try await operate(server, token, "1", "{ hello }").status == 202)
        }
    }

    @Test func errorsOfTheSourceGoOverTheStream() async throws {
        try await TestServer.run { (server) async throws in
            let token = try await reserve(server)
            try await server.stream { (client) async throws in
                _ = try await open(&client, token)
                #expect(try await operate(server, token, "r", "subscription { refused }").status == 202)
                #expect(
                    try await client.event().hasPrefix(
                        "event: next\ndata: {\"id\":\"r\",\"payload\":{\"errors\":[{\"message\":\"Not you.\""))
                #expect(try await client.event() == "event: complete\ndata: {\"id\":\"r\"}\n\n")
                #expect(try await operate(server, token, "b", "subscription { breaks }").status == 202)
                #expect(try await client.event().contains("{\"breaks\":1}"))
                #expect(try await client.event().contains("INTERNAL_SERVER_ERROR"))
                #expect(try await client.event() == "event: complete\ndata: {\"id\":\"b\"}\n\n")
            }
        }
    }

    @Test func boundsOperations() async throws {
        try await TestServer.run {
            $0.settings.streams.operations = 2
        } _: { (server) async throws in
            let token = try await reserve(server)
            #expect(try await operate(server, token, "1", "subscription { silence }").status == 202)
            #expect(try await operate(server, token, "2", "subscription { silence }").status == 202)
            #expect(try await operate(server, token, "3", "subscription { silence }").status == 429)
        }
    }

    @Test func boundsReservations() async throws {
        try await TestServer.run {
            $0.settings.streams.reservations = 1
        } _: { (server) async throws in
            _ = try await reserve(server)
            #expect(try await server.send("PUT", "/graphql/stream").status == 503)
        }
    }

    @Test func reservationsEnd() async throws {
        try await TestServer.runByManualClock {
            $0.settings.streams.reservations = 1
        } _: { (server, clock) async throws in
            let token = try await reserve(server)
            #expect(try await operate(server, token, "1", "subscription { silence }").status == 202)
            try await server.reaches("graphql_open_subscriptions 1")
            try await clock.pass(.minutes(10))
            _ = try await reserve(server)
            try await server.reaches("graphql_open_subscriptions 0")
            #expect(try await operate(server, token, "2", "{ hello }").status == 404)
        }
    }

    @Test func endsOperationsOfASessionThatEnded() async throws {
        try await TestServer.run { (server) async throws in
            let token = try await reserve(server)
            try await server.stream { (client) async throws in
                _ = try await open(&client, token)
                let reply = try await server.send(
                    "POST", "/graphql/stream?token=\(token)",
                    [("Content-Type", "application/json"), ("Authorization", "Bearer single-leaver")],
                    body: #"{"query":"subscription { silence }","extensions":{"operationId":"s"}}"#)
                #expect(reply.status == 202)
                try await server.reaches("graphql_open_subscriptions 1")
                TestContext.endSession(of: "single-leaver")
                #expect(try await client.event().contains("UNAUTHENTICATED"))
                try await server.reaches("graphql_open_subscriptions 0")
            }
        }
    }
}
