import GraphQL
import GraphQLTransport
import Testing

/// Apollo, Multipart HTTP protocol for GraphQL subscriptions
@Suite(.timeLimit(.minutes(10)))
struct MultipartSubscriptionTests {
    private static let accept = #"multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json"#
    private static let json = "\r\nContent-Type: application/json\r\n\r\n"

    @Test(arguments: [
        accept, #"multipart/mixed;subscriptionSpec="1.0", application/json"#,
        "application/json, multipart/mixed; boundary=graphql; subscriptionSpec=1.0",
    ])
    func sendsAPartAnEvent(_ accept: String) async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                let head = try await client.post("subscription { countdown(from: 2) }", accept: accept)
                #expect(head.status == 200)
                #expect(head["Content-Type"] == "multipart/mixed;boundary=graphql;subscriptionSpec=1.0")
                #expect(
                    try await client.rest()
                        == "\r\n--graphql\(Self.json){\"payload\":{\"data\":{\"countdown\":2}}}"
                        + "\r\n--graphql\(Self.json){\"payload\":{\"data\":{\"countdown\":1}}}" + "\r\n--graphql--\r\n")
                #expect(try await client.post("{ hello }", accept: accept).data?["hello"] == .string("Hello world"))
            }
            try await server.reaches("graphql_open_event_streams 0")
        }
    }

    /// A client can take a part without waiting for what follows.
    @Test func delimitsAPartAtOnce() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post(
                    #"subscription { board(name: \"parts\") { text } }"#, accept: Self.accept)
                #expect(try await client.take(through: "--graphql") == "\r\n--graphql")
                let board = Board.named("parts")
                try await board.waitForReaders(1)
                _ = try await board.post("first")
                #expect(
                    try await client.take(through: "--graphql")
                        == "\(Self.json){\"payload\":{\"data\":{\"board\":{\"text\":\"first\"}}}}\r\n--graphql")
            }
            try await server.reaches("graphql_open_subscriptions 0")
        }
    }

    @Test func beats() async throws {
        try await TestServer.runByManualClock {
            $0.settings.streams.keepAlive = .minutes(1)
        } _: { (server, clock) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post("subscription { silence }", accept: Self.accept)
                _ = try await client.take(through: "--graphql")
                for _ in 0..<2 {
                    try await clock.pass(.minutes(1))
                    #expect(try await client.take(through: "--graphql") == "\(Self.json){}\r\n--graphql")
                }
            }
        }
    }

    @Test func anErrorOfTheTransportIsTheLastPart() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post("subscription { breaks }", accept: Self.accept)
                let body = try await client.rest()
                #expect(body.contains("{\"payload\":{\"data\":{\"breaks\":1}}}"))
                #expect(body.contains("{\"payload\":null,\"errors\":[{\"message\":\"Something went wrong.\""))
                #expect(body.hasSuffix("}]}\r\n--graphql--\r\n"))
            }
        }
    }

    @Test(arguments: [
        ("{", "GRAPHQL_PARSE_FAILED"), ("subscription { nope }", "GRAPHQL_VALIDATION_FAILED"),
        ("subscription { refused }", "FORBIDDEN"),
    ])
    func refusesBeforeTheFirstPartInJSON(_ query: String, _ code: String) async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                let reply = try await client.post(query, accept: Self.accept)
                #expect(reply["Content-Type"] == "application/json; charset=utf-8")
                #expect(reply.errorCodes == [code])
                #expect(try await client.post("{ hello }", accept: Self.accept).status == 200)
            }
        }
    }

    @Test func otherFormatsOfTheTypeAreNoSubscription() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.post(
                #"{"query":"subscription { ticks }"}"#, accept: "multipart/mixed;deferSpec=20220824,application/json")
            #expect(reply.status == 406)
        }
    }

    @Test func drainsWithAnError() async throws {
        try await TestServer.run { (server) async throws in
            try await server.stream { (client) async throws in
                _ = try await client.post("subscription { silence }", accept: Self.accept)
                try await server.reaches("graphql_open_event_streams 1")
                await server.stop()
                let body = try await client.rest()
                #expect(body.contains("{\"payload\":null,\"errors\":[{"))
                #expect(body.contains("UNAVAILABLE"))
                #expect(body.hasSuffix("\r\n--graphql--\r\n"))
            }
        }
    }
}
