import GraphQL
import GraphQLTransport
import TestSupport
import Testing

/// One connection, and what a client may do with it.
@Suite(.timeLimit(.minutes(10)))
struct HTTPConnectionTests {
    private static func post(_ query: String, _ headers: String = "") -> String {
        let body = #"{"query":"\#(query)"}"#
        return "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\(headers)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        try await TestServer.run { (server) async throws in
            try await server.connect { (connection) async throws in
                let route = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
                try await connection.write(
                    Self.post(#"{ gated(gate: \"pipelined\") }"#) + Self.post("{ hello }") + route
                        + Self.post("{ viewer }"))
                try await Gate.named("pipelined").fill(1)
                Gate.named("pipelined").open()
                #expect(try await connection.reply().data?["gated"] == .string("passed"))
                #expect(try await connection.reply().data?["hello"] == .string("Hello world"))
                #expect(try await connection.reply().body == "ok\n")
                #expect(try await connection.reply().data?["viewer"] == .null)
            }
        }
    }

    @Test func servesManyPipelinedRequestsInOrder() async throws {
        try await TestServer.run { (server) async throws in
            try await server.connect { (connection) async throws in
                let numbers = 0..<300
                try await connection.write(numbers.map { Self.post("{ echo(value: \($0)) }") }.joined())
                for number in numbers {
                    #expect(try await connection.reply().data?["echo"] == .int(number))
                }
            }
        }
    }

    @Test func takesRequestsByteByByte() async throws {
        try await TestServer.run { (server) async throws in
            try await server.connect { (connection) async throws in
                for byte in Self.post("{ hello }") {
                    try await connection.write(String(byte))
                }
                #expect(try await connection.reply().status == 200)
            }
        }
    }

    @Test func takesChunkedBodies() async throws {
        try await TestServer.run { (server) async throws in
            try await server.connect { (connection) async throws in
                try await connection.write(
                    "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n9\r\n{\"query\":\r\nc\r\n\"{ hello }\"}\r\n0\r\n\r\n")
                #expect(try await connection.reply().data?["hello"] == .string("Hello world"))
                try await connection.write(Self.post("{ hello }"))
                #expect(try await connection.reply().status == 200)
            }
        }
    }

    @Test func asksForABodyThatWaitsToBeAskedFor() async throws {
        try await TestServer.run { (server) async throws in
            try await server.connect { (connection) async throws in
                let whole = Self.post("{ hello }", "Expect: 100-continue\r\n")
                let body = #"{"query":"{ hello }"}"#
                try await connection.write(String(whole.dropLast(body.count)))
                #expect(try await connection.reply().status == 100)
                try await connection.write(body)
                #expect(try await connection.reply().status == 200)
            }
        }
    }

    /// RFC 9112, 11.2 Request Smuggling
    @Test(arguments: [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: -1\r\n", "Content-Length: 5, 6\r\n", "Transfer-Encoding: chunked, identity\r\n",
        "Content-Length: 0x5\r\n", "Content Length: 5\r\n", "X: a\r\n b\r\n : c\r\n",
    ])
    func refusesAmbiguousLengths(_ headers: String) async throws {
        try await TestServer.run { (server) async throws in
            try await server.connect { (connection) async throws in
                try await connection.write(
                    "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\(headers)\r\n0\r\n\r\n"
                        + "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                let answers = await connection.rest()
                #expect(answers.hasPrefix("HTTP/1.1 400"))
                #expect(!answers.contains("ok\n"))
            }
        }
    }

    @Test(arguments: ["", "Host: a\r\nHost: b\r\n"])
    func wantsOneHost(_ headers: String) async throws {
        try await TestServer.run { (server) async throws in
            try await server.connect { (connection) async throws in
                try await connection.write("GET /graphql?query=%7Bhello%7D HTTP/1.1\r\n\(headers)\r\n")
                #expect(await connection.rest().hasPrefix("HTTP/1.1 400"))
            }
        }
    }

    @Test func refusesTooManyOrTooLargeHeaders() async throws {
        try await TestServer.run { (server) async throws in
            let many = (0..<1_000).map { ("X-\($0)", "1") }
            #expect(try await server.post(#"{"query":"{ hello }"}"#, many).status == 431)
            let large = [("X-Large", String(repeating: "x", count: 20_000))]
            #expect(try await server.post(#"{"query":"{ hello }"}"#, large).status == 431)
        }
    }

    @Test func refusesTooLargeBodies() async throws {
        try await TestServer.run { (server) async throws in
            let body = #"{"query":"{ hello }","extensions":{"x":"\#(String(repeating: "x", count: 300_000))"}}"#
            #expect(try await server.post(body).status == 413)
            try await server.connect { (connection) async throws in
                let chunk = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
                try await connection.write(
                    "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 5))
                #expect(try await connection.reply().status == 413)
            }
        }
    }

    @Test func keepsConnectionsOfOldClientsThatAskForIt() async throws {
        try await TestServer.run { (server) async throws in
            try await server.connect { (connection) async throws in
                let request = "GET /graphql?query=%7Bhello%7D HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
                try await connection.write(request)
                #expect(try await connection.reply()["Connection"] == "keep-alive")
                try await connection.write("GET /graphql?query=%7Bhello%7D HTTP/1.0\r\n\r\n")
                #expect(try await connection.reply()["Connection"] == "close")
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    @Test func survivesAClientThatNeverReads() async throws {
        try await TestServer.runByManualClock {
            $0.settings.limits.writeTimeout = .seconds(1)
            // The loop below does not reach these limits.
            $0.settings.limits.headerTimeout = .hours(24)
            $0.settings.limits.idleTimeout = .hours(24)
        } _: { (server, clock) async throws in
            try await server.connect { (connection) async throws in
                try await connection.write(
                    (0..<40).map { _ in Self.post("{ large(bytes: 1000000) }") }.joined())
                try await server.reaches("http_connections 1")
                // The server's `writeTimeout` begins when the socket's buffers are full. That moment is not known, so time
                // passes until the connection ends.
                try await eventually("the end of the connection") {
                    try await clock.pass(.seconds(1))
                    return server.has("http_connections 0")
                }
                #expect(try await server.send("GET", "/healthz").status == 200)
                // What the sockets' buffers hold comes, then the end: never all forty.
                #expect(await connection.rest().utf8.count < 39_000_000)
            }
        }
    }

    @Test func forgetsAClientThatHangsUp() async throws {
        try await TestServer.run { (server) async throws in
            try await server.connect { (connection) async throws in
                try await connection.write(Self.post(#"{ gated(gate: \"hung up\") }"#))
                try await Gate.named("hung up").fill(1)
            }
            Gate.named("hung up").open()
            try await server.reaches("http_connections 0")
            #expect(try await server.post(#"{"query":"{ hello }"}"#).status == 200)
        }
    }
}
