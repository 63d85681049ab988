import GraphQL
import GraphQLTransport
import Testing

/// graphql-sse, Distinct connections mode: each row a transcript over a real socket.
@Suite(.timeLimit(.minutes(10)))
struct DistinctConnectionsTests {
    @Test func streamsASubscription() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                let head = try await client.post("subscription { countdown(from: 2) }", accept: "text/event-stream")
                #expect(head.status == 200)
                #expect(head["Content-Type"] == "text/event-stream; charset=utf-8")
                #expect(head["Cache-Control"] == "no-store")
                #expect(
                    try await client.rest()
                        == ":\n\n"
                        + "event: next\ndata: {\"data\":{\"countdown\":2}}\n\n"
                        + "event: next\ndata: {\"data\":{\"countdown\":1}}\n\n" + "event: complete\ndata:\n\n")
                // The connection serves the next request.
                let next = try await client.post("{ hello }", accept: "application/json")
                #expect(next.data?["hello"] == .string("Hello world"))
            }
            try await server.reaches("graphql_open_event_streams 0")
            try await server.reaches("graphql_open_subscriptions 0")
        }
    }

    @Test(arguments: ["{ hello }", "mutation { touch }"])
    func answersOtherOperationsToo(_ query: String) async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                let head = try await client.post(query, accept: "text/event-stream, application/json;q=0.5")
                #expect(head["Content-Type"] == "text/event-stream; charset=utf-8")
                #expect(try await client.event().hasPrefix("event: next\ndata: {\"data\":{\""))
                #expect(try await client.event() == "event: complete\ndata:\n\n")
            }
        }
    }

    /// More than the channel takes before it is flushed.
    @Test func goesOnAfterALargeResponse() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post("{ large(bytes: 200000) }", accept: "text/event-stream")
                #expect(try await client.event().utf8.count > 200_000)
                #expect(try await client.event() == "event: complete\ndata:\n\n")
            }
        }
    }

    @Test func takesGET() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                let target =
                    "/graphql?query=subscription(%24n%3AInt!)%7Bcountdown(from%3A%24n)%7D&variables=%7B%22n%22%3A1%7D"
                #expect(try await client.send("GET", target, [("Accept", "text/event-stream")]).status == 200)
                #expect(try await client.event() == "event: next\ndata: {\"data\":{\"countdown\":1}}\n\n")
                #expect(try await client.event() == "event: complete\ndata:\n\n")
            }
            let mutation = try await server.send(
                "GET", "/graphql?query=mutation%7Btouch%7D", [("Accept", "text/event-stream")])
            #expect(mutation.status == 405)
            #expect(mutation["Allow"] == "POST")
        }
    }

    @Test(arguments: [
        ("{", "GRAPHQL_PARSE_FAILED"), ("{ nope }", "GRAPHQL_VALIDATION_FAILED"),
        ("query($v: Int!) { echo(value: $v) }", "BAD_USER_INPUT"), ("subscription { refused }", "FORBIDDEN"),
    ])
    func tellsErrorsOverAnAcceptedStream(_ query: String, _ code: String) async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                #expect(try await client.post(query, accept: "text/event-stream").status == 200)
                let event = try await client.event()
                #expect(event.hasPrefix("id: refused\nevent: next\ndata: {\"errors\":[{\"message\":"))
                #expect(event.contains("\"code\":\"\(code)\""))
                #expect(try await client.event() == "event: complete\ndata:\n\n")
            }
        }
    }

    /// An `EventSource` reconnects after each response, until one has another status than 200.
    @Test func aRefusalThatLastsEndsTheReconnects() async throws {
        try await TestServer.run {
            $0.settings.crossOrigin.origins = .any
        } _: { (server) async throws in
            let headers = [("Accept", "text/event-stream"), ("Origin", "https://app.example")]
            let again = headers + [("Last-Event-ID", "refused")]
            for query in ["%7Bnope%7D", "subscription%7Brefused%7D", "subscription%7Bticks%7D"] {
                let reply = try await server.send("GET", "/graphql?query=\(query)", again)
                #expect(reply.status == 204 && reply.body.isEmpty)
                #expect(reply["Content-Type"] == nil && reply["Content-Length"] == nil)
                // A cache that kept it would end the streams of others.
                #expect(reply["Cache-Control"] == "no-store")
                // Without it, it is a network error, after which a browser tries again.
                #expect(reply["Access-Control-Allow-Origin"] == "*")
            }
            let posted = try await server.post(
                #"{"query":"{ nope }"}"#, accept: "text/event-stream", [("Last-Event-ID", "refused")])
            #expect(posted.status == 204)
            let signedOut = [("Accept", "text/event-stream"), ("Last-Event-ID", "signed-out")]
            #expect(try await server.send("GET", "/graphql?query=%7Bhello%7D", signedOut).status == 204)
            let signedIn = signedOut + [("Authorization", "Bearer ann")]
            #expect(try await server.send("GET", "/graphql?query=%7Bhello%7D", signedIn).status == 200)
            // The id means nothing elsewhere.
            let json = try await server.post(#"{"query":"{ hello }"}"#, [("Last-Event-ID", "refused")])
            #expect(json.data?["hello"] == .string("Hello world"))
        }
    }

    /// After any other refusal the same request may get another answer.
    private static let lasting: Set<ErrorCode> = [
        .parseFailed, .validationFailed, .operationResolutionFailed, .badUserInput, .persistedQueryNotSupported,
        .documentNotTrusted, .queryTooComplex, .forbidden, .notFound, .cursorExpired,
    ]

    @Test(arguments: ErrorCode.all + [ErrorCode(rawValue: "OWN")], [false, true])
    func onlyARefusalThatLastsHasAnID(_ code: ErrorCode, _ hasCredentials: Bool) async throws {
        try await TestServer.run {
            $0.observe = { _ in throw ExecutionError("No.", code: code) }
        } _: { (server) async throws in
            try await server.stream { (client) async throws in
                let body = #"{"query":"{ hello }","extensions":{"plan":true}}"#
                let headers =
                    [("Content-Type", "application/json"), ("Accept", "text/event-stream")]
                    + (hasCredentials ? [("Authorization", "Bearer ann")] : [])
                #expect(try await client.send("POST", "/graphql", headers, body: body).status == 200)
                let event = try await client.event()
                #expect(event.contains("\"code\":\"\(code.rawValue)\""))
                // An EventSource cannot sign in.
                let isSignedOut = code == .unauthenticated && !hasCredentials
                #expect(event.hasPrefix("id: refused\n") == Self.lasting.contains(code))
                #expect(event.hasPrefix("id: signed-out\n") == isSignedOut)
            }
        }
    }

    /// In this mode alone the id is that of this very stream.
    @Test(arguments: [("text/event-stream", "p1"), ("multipart/mixed; subscriptionSpec=1.0", "none")])
    func anEventSourceTellsWhereItsStreamBroke(_ accept: String, _ expected: String) async throws {
        try await TestServer.run {
            $0.authenticateSynchronously = { head in
                TestContext(viewer: "\(head.lastEventID ?? "none") \(head.resumeAfter ?? "none")")
            }
        } _: { (server) async throws in
            // A client that could not sign in until now begins anew.
            for (id, place) in [("p1", "\(expected) p1"), ("", "none none"), ("signed-out", "none none")] {
                try await server.stream { (client) async throws in
                    _ = try await client.post(
                        "subscription { viewerName }", accept: accept,
                        [("Last-Event-ID", id), ("Authorization", "Bearer ann")])
                    #expect(try await client.take(through: "}}").contains("\"viewerName\":\"\(place)\""))
                }
            }
        }
    }

    @Test func aSourceThatBreaksIsTold() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post("subscription { breaks }", accept: "text/event-stream")
                #expect(try await client.event() == "event: next\ndata: {\"data\":{\"breaks\":1}}\n\n")
                #expect(try await client.event().contains("INTERNAL_SERVER_ERROR"))
                #expect(try await client.event() == "event: complete\ndata:\n\n")
            }
        }
    }

    @Test func requestsThatAreNoneHaveAStatus() async throws {
        try await TestServer.run { (server) async throws in
            let json = ("Content-Type", "application/json")
            let accept = ("Accept", "text/event-stream")
            #expect(try await server.send("POST", "/graphql", [json, accept], body: "{").status == 400)
            #expect(try await server.send("POST", "/graphql", [json, accept], body: "{}").status == 400)
            #expect(try await server.send("POST", "/graphql", [accept], body: "{}").status == 415)
            #expect(try await server.send("GET", "/graphql", [accept]).status == 400)
            let expired = try await server.send(
                "POST", "/graphql", [json, accept, ("Authorization", "Bearer expired")],
                body: #"{"query":"subscription { ticks }"}"#)
            #expect(expired.status == 401)
            #expect(expired["WWW-Authenticate"] == "Bearer")
        }
    }

    @Test func keepsAliveWithComments() async throws {
        try await TestServer.runByManualClock {
            $0.settings.streams.keepAlive = .minutes(1)
        } _: { (server, clock) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post("subscription { silence }", accept: "text/event-stream")
                #expect(try await client.take(through: "\n\n") == ":\n\n")
                for _ in 0..<2 {
                    try await clock.pass(.minutes(1))
                    #expect(try await client.take(through: "\n\n") == ":\n\n")
                }
            }
        }
    }

    @Test func aDisconnectStopsTheSource() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post("subscription { silence }", accept: "text/event-stream")
                try await server.reaches("graphql_open_subscriptions 1")
            }
            try await server.reaches("graphql_open_subscriptions 0")
            try await server.reaches("graphql_open_event_streams 0")
        }
    }

    @Test func endsWithTheSession() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post(
                    "subscription { silence }", accept: "text/event-stream", [("Authorization", "Bearer sse-leaver")])
                try await server.reaches("graphql_open_subscriptions 1")
                TestContext.endSession(of: "sse-leaver")
                #expect(try await client.event().contains("UNAUTHENTICATED"))
                #expect(try await client.event() == "event: complete\ndata:\n\n")
                try await server.reaches("graphql_open_subscriptions 0")
            }
        }
    }

    @Test func endsWhatTakesTooLong() async throws {
        try await TestServer.runByManualClock { (server, clock) async throws in
            async let events = server.stream { (client) async throws in
                _ = try await client.post(
                    #"{ gated(gate: \"never over an event stream\") }"#, accept: "text/event-stream")
                return (try await client.event(), try await client.event())
            }
            try await Gate.named("never over an event stream").fill(1)
            try await clock.pass(.minutes(10))
            let (first, last) = try await events
            #expect(first.contains("TIMEOUT"))
            #expect(last == "event: complete\ndata:\n\n")
        }
    }

    @Test func endsAStreamThatIsNotRead() async throws {
        try await TestServer.run {
            $0.settings.streams.stallTimeout = .milliseconds(100)
        } _: { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post("subscription { flood(bytes: 10000) }", accept: "text/event-stream")
                try await server.reaches("graphql_stalled_subscriptions_total 1")
                try await server.reaches("graphql_open_subscriptions 0")
                let rest = try await client.rest()
                #expect(rest.hasSuffix("event: complete\ndata:\n\n"))
                #expect(rest.suffix(300).contains("TIMEOUT"))
            }
        }
    }

    /// Without `complete`, so that the client connects again.
    @Test func drainsWithoutAComplete() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post("subscription { silence }", accept: "text/event-stream")
                try await server.reaches("graphql_open_event_streams 1")
                await server.stop()
                #expect(try await client.rest() == ":\n\n")
            }
        }
    }

    @Test func closesWhereTheClientIsOld() async throws {
        try await TestServer.run { (server) async throws in
            try await server.connect { (connection) async throws in
                let body = #"{"query":"subscription { countdown(from: 1) }"}"#
                try await connection.write(
                    "POST /graphql HTTP/1.0\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                let answer = await connection.rest()
                #expect(!answer.lowercased().contains("chunked"))
                #expect(answer.hasSuffix("{\"countdown\":1}}\n\nevent: complete\ndata:\n\n"))
            }
        }
    }
}
