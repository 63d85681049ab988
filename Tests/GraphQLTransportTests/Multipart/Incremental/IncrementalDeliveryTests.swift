import GraphQL
import GraphQLTransport
import Testing

/// GraphQL over HTTP, RFC Incremental Delivery: each test a transcript over a real socket.
@Suite(.timeLimit(.minutes(10)))
struct IncrementalDeliveryTests {
    private static let current = "multipart/mixed;incrementalSpec=v0.2, application/json"
    private static let older =
        "multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9"
    private static let start = "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n"

    private static func gated(_ gate: String) -> String { #"{ hello ... @defer { gated(gate: \"\#(gate)\") } }"# }

    @Test(arguments: ["multipart/mixed", current, "application/json, multipart/mixed"])
    func sendsAPartForEachPayload(_ accept: String) async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                let gate = "parts \(accept)"
                let head = try await client.post(Self.gated(gate), accept: accept)
                #expect(head.status == 200)
                #expect(head["Content-Type"] == #"multipart/mixed;boundary="-";incrementalSpec=v0.2"#)
                #expect(head["Transfer-Encoding"] == nil || head["Transfer-Encoding"] == "chunked")
                // The first part is there with its delimiter while the second is not ready.
                #expect(try await client.take(through: "---") == "\r\n---")
                #expect(
                    try await client.take(through: "\r\n---")
                        == Self.start + #"{"data":{"hello":"Hello world"},"pending":[{"id":"0","path":[]}],"#
                        + "\"hasNext\":true}\r\n---")
                Gate.named(gate).open()
                #expect(
                    try await client.rest()
                        == Self.start + #"{"incremental":[{"id":"0","data":{"gated":"passed"}}],"#
                        + "\"completed\":[{\"id\":\"0\"}],\"hasNext\":false}\r\n-----\r\n")
                // The connection serves the next request.
                #expect(
                    try await client.post("{ hello }", accept: Self.current).data?["hello"] == .string("Hello world"))
            }
            try await server.reaches("graphql_open_event_streams 0")
        }
    }

    @Test func speaksTheOlderFormat() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                let query =
                    #"{ hello words @stream(initialCount: 1) ... @defer(label: \"l\") { hello echo(value: 7) } }"#
                let head = try await client.post(query, accept: Self.older)
                #expect(head["Content-Type"] == #"multipart/mixed;boundary="-";deferSpec=20220824"#)
                #expect(
                    try await client.rest()
                        == "\r\n---" + Self.start
                        + #"{"data":{"hello":"Hello world","words":["apple"]},"hasNext":true}"# + "\r\n---" + Self.start
                        + #"{"incremental":[{"data":{"hello":"Hello world","echo":7},"path":[],"label":"l"},"#
                        + #"{"items":["banana","cherry"],"path":["words",1]}],"hasNext":false}"# + "\r\n-----\r\n")
            }
        }
    }

    @Test(arguments: ["application/json", "*/*", "application/graphql-response+json, text/event-stream;q=0.1"])
    func aClientThatDoesNotAskGetsOneAnswer(_ accept: String) async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.post(#"{"query":"{ ... @defer { hello } }"}"#, accept: accept)
            #expect(reply.status == 200)
            #expect(reply.body == #"{"data":{"hello":"Hello world"}}"#)
        }
    }

    @Test func whatHasOnePartIsOneAnswerWhereTheClientTakesIt() async throws {
        try await TestServer.run { (server) async throws in
            let query = #"{"query":"{ hello ... @defer(if: false) { hello } }"}"#
            let reply = try await server.post(query, accept: Self.older)
            #expect(reply["Content-Type"] == "application/graphql-response+json; charset=utf-8")
            #expect(reply.body == #"{"data":{"hello":"Hello world"}}"#)
            try await server.stream { (client) async throws in
                for query in ["{ hello ... @defer(if: false) { hello } }", "{ hello }"] {
                    let head = try await client.post(query, accept: "multipart/mixed")
                    #expect(head["Content-Type"] == #"multipart/mixed;boundary="-";incrementalSpec=v0.2"#)
                    #expect(
                        try await client.rest()
                            == "\r\n---" + Self.start + "{\"data\":{\"hello\":\"Hello world\"}}\r\n-----\r\n")
                }
            }
        }
    }

    @Test(arguments: [
        ("{ ... @defer { nope } }", "GRAPHQL_VALIDATION_FAILED"),
        ("mutation { ... @defer { touch } }", "GRAPHQL_VALIDATION_FAILED"),
        ("query($v: Int!) { ... @defer { echo(value: $v) } }", "BAD_USER_INPUT"),
    ])
    func refusesBeforeTheFirstPartInJSON(_ query: String, _ code: String) async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.post(#"{"query":"\#(query)"}"#, accept: Self.current)
            #expect(reply["Content-Type"] == "application/json; charset=utf-8")
            #expect(reply.errorCodes == [code])
        }
    }

    @Test func aClientThatLeavesEndsTheOperation() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post(Self.gated("left alone"), accept: Self.current)
                _ = try await client.take(through: "true}\r\n---")
                try await server.reaches("graphql_open_event_streams 1")
            }
            try await server.reaches("graphql_open_event_streams 0")
        }
    }

    @Test func whatIsDeferredHasTheOperationsTime() async throws {
        try await TestServer.runByManualClock { (server, clock) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post(Self.gated("never in parts"), accept: Self.current)
                try await clock.pass(.minutes(10))
                let body = try await client.rest()
                #expect(body.contains(#"{"errors":[{"message":"The operation took too long.""#))
                #expect(body.contains("TIMEOUT"))
                #expect(body.hasSuffix(",\"hasNext\":false}\r\n-----\r\n"))
            }
        }
    }

    // MARK: - Other transports

    @Test func comesAsEventsOfAnEventStream() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post("{ words @stream(initialCount: 2) }", accept: "text/event-stream")
                #expect(
                    try await client.rest()
                        == ":\n\nevent: next\ndata: {\"data\":{\"words\":[\"apple\",\"banana\"]},"
                        + "\"pending\":[{\"id\":\"0\",\"path\":[\"words\"]}],\"hasNext\":true}\n\n"
                        + "event: next\ndata: {\"incremental\":[{\"id\":\"0\",\"items\":[\"cherry\"]}],"
                        + "\"completed\":[{\"id\":\"0\"}],\"hasNext\":false}\n\nevent: complete\ndata:\n\n")
            }
        }
    }

    @Test func comesOverASingleConnection() async throws {
        try await TestServer.run { (server) async throws in
            let token = try await server.send("PUT", "/graphql/stream").body
            try await server.stream { (client) async throws in
                _ = try await client.send(
                    "GET", "/graphql/stream?token=\(token)", [("Accept", "text/event-stream")])
                let reply = try await server.send(
                    "POST", "/graphql/stream",
                    [("Content-Type", "application/json"), ("X-GraphQL-Event-Stream-Token", token)],
                    body: #"{"query":"{ hello ... @defer { echo(value: 7) } }","extensions":{"operationId":"1"}}"#)
                #expect(reply.status == 202)
                #expect(
                    try await client.event()
                        == "event: next\ndata: {\"id\":\"1\",\"payload\":{\"data\":{\"hello\":\"Hello world\"},"
                        + "\"pending\":[{\"id\":\"0\",\"path\":[]}],\"hasNext\":true}}\n\n")
                #expect(
                    try await client.event()
                        == "event: next\ndata: {\"id\":\"1\",\"payload\":{\"incremental\":[{\"id\":\"0\","
                        + "\"data\":{\"echo\":7}}],\"completed\":[{\"id\":\"0\"}],\"hasNext\":false}}\n\n")
                #expect(try await client.event() == "event: complete\ndata: {\"id\":\"1\"}\n\n")
            }
        }
    }

    @Test func comesAsMessagesOfASocket() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.send(
                    #"{"id":"1","type":"subscribe","payload":{"query":"{ hello ... @defer { echo(value: 7) } }"}}"#)
                #expect(
                    try await client.message()
                        == #"{"id":"1","type":"next","payload":{"data":{"hello":"Hello world"},"#
                        + #""pending":[{"id":"0","path":[]}],"hasNext":true}}"#)
                #expect(
                    try await client.message()
                        == #"{"id":"1","type":"next","payload":{"incremental":[{"id":"0","data":{"echo":7}}],"#
                        + #""completed":[{"id":"0"}],"hasNext":false}}"#)
                #expect(try await client.message() == #"{"id":"1","type":"complete"}"#)
            }
        }
    }
}
