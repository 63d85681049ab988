import GraphQL
import GraphQLTransport
import Testing

/// The protocol over a real socket, each test a transcript.
@Suite(.timeLimit(.minutes(10)))
struct WebSocketTests {
    @Test func runsQueriesAndMutations() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "{ hello }")
                #expect(
                    try await client.message()
                        == #"{"id":"1","type":"next","payload":{"data":{"hello":"Hello world"}}}"#)
                #expect(try await client.message() == #"{"id":"1","type":"complete"}"#)
                try await client.subscribe("1", "mutation { touch }")
                #expect(try await client.message() == #"{"id":"1","type":"next","payload":{"data":{"touch":1}}}"#)
                #expect(try await client.message() == #"{"id":"1","type":"complete"}"#)
                try await client.send(
                    #"""
                    {"id":"2","type":"subscribe","payload":{
                    "query":"query A { hello } query B($v: Int!) { echo(value: $v) }",
                    "operationName":"B","variables":{"v":7}}}
                    """#)
                #expect(try await client.message() == #"{"id":"2","type":"next","payload":{"data":{"echo":7}}}"#)
            }
        }
    }

    /// More than the channel takes before it is flushed.
    @Test func goesOnAfterALargeResponse() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                for _ in 0..<2 {
                    try await client.subscribe("1", "{ large(bytes: 200000) }")
                    #expect(try await client.message().utf8.count > 200_000)
                    #expect(try await client.message() == #"{"id":"1","type":"complete"}"#)
                }
            }
        }
    }

    @Test func streamsSubscriptionsBesideEachOther() async throws {
        let board = Board.named("beside")
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("b", #"subscription { board(name: \"beside\") { text } }"#)
                try await client.subscribe("q", "{ hello }")
                #expect(try await client.message().contains("Hello"))
                #expect(try await client.message() == #"{"id":"q","type":"complete"}"#)
                try await board.waitForReaders(1)
                _ = try await board.post("posted")
                #expect(
                    try await client.message()
                        == #"{"id":"b","type":"next","payload":{"data":{"board":{"text":"posted"}}}}"#)
                try await client.subscribe("g", "subscription { greetings }")
                for greeting in ["Hi", "Bonjour", "Hola", "Ciao", "Zdravo"] {
                    #expect(
                        try await client.message()
                            == #"{"id":"g","type":"next","payload":{"data":{"greetings":"\#(greeting)"}}}"#)
                }
                #expect(try await client.message() == #"{"id":"g","type":"complete"}"#)
                try await server.reaches("graphql_open_subscriptions 1")
            }
        }
    }

    @Test func aCompleteStopsTheSource() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { silence }")
                try await server.reaches("graphql_open_subscriptions 1")
                try await client.send(#"{"id":"1","type":"complete"}"#)
                try await server.reaches("graphql_open_subscriptions 0")
                // Nothing is said of it any more.
                try await client.send(#"{"type":"ping","payload":{"n":1}}"#)
                #expect(try await client.message() == #"{"type":"pong","payload":{"n":1}}"#)
            }
        }
    }

    @Test(arguments: [
        ("{", "GRAPHQL_PARSE_FAILED"), ("{ nope }", "GRAPHQL_VALIDATION_FAILED"),
        ("query($v: Int!) { echo(value: $v) }", "BAD_USER_INPUT"), ("subscription { refused }", "FORBIDDEN"),
    ])
    func tellsErrorsWithoutClosing(_ query: String, _ code: String) async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", query)
                let message = try await client.message()
                #expect(message.hasPrefix(#"{"id":"1","type":"error","payload":[{"message":"#))
                #expect(message.contains(#""code":"\#(code)""#))
                try await client.subscribe("1", "{ hello }")
                #expect(try await client.message().contains("Hello"))
            }
        }
    }

    @Test func errorsOfFieldsAreOfTheResponse() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "{ secret }")
                #expect(
                    try await client.message().hasPrefix(
                        #"{"id":"1","type":"next","payload":{"data":{"secret":null},"errors":[{"#))
                #expect(try await client.message() == #"{"id":"1","type":"complete"}"#)
            }
        }
    }

    @Test func aSourceThatBreaksEndsWithAnError() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { breaks }")
                #expect(try await client.message() == #"{"id":"1","type":"next","payload":{"data":{"breaks":1}}}"#)
                let error = try await client.message()
                #expect(error.hasPrefix(#"{"id":"1","type":"error","payload":[{"message":"Something went wrong.""#))
                #expect(!error.contains("hunter2"))
                try await client.subscribe("1", "{ hello }")
                #expect(try await client.message().contains("Hello"))
            }
        }
    }

    @Test func endsWhatTakesTooLong() async throws {
        try await TestServer.runByManualClock { (server, clock) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", #"{ gated(gate: \"never over a socket\") }"#)
                try await Gate.named("never over a socket").fill(1)
                try await clock.pass(.minutes(10))
                #expect(try await client.message().contains(#""code":"TIMEOUT""#))
            }
        }
    }

    @Test(arguments: [
        (["hello"], 4400), ([#"{"type":"start"}"#], 4400),
        ([#"{"id":"1","type":"subscribe","payload":{"query":"{ hello }"}}"#], 4401),
        ([#"{"type":"connection_init"}"#, #"{"type":"connection_init"}"#], 4429),
        ([#"{"type":"connection_init","payload":{"accessToken":"expired"}}"#], 4403),
        ([#"{"type":"connection_init","payload":{"authToken":"expired"}}"#], 4403),
        ([#"{"type":"connection_init","payload":{"accessToken":"ended"}}"#], 4403),
        ([#"{"type":"connection_init","payload":{"accessToken":7}}"#], 4400),
        ([#"{"type":"connection_init","payload":{"authorization":"Basic YTpi"}}"#], 4400),
        ([#"{"type":"connection_init","payload":{"accessToken":"ada","token":"bob"}}"#], 4400),
        ([#"{"type":"connection_init"}"#, #"{"type":"ping","payload":{"accessToken":7}}"#], 4400),
        ([#"{"type":"connection_init","payload":{"accessToken":"malformed"}}"#], 4400),
        ([#"{"type":"connection_init","payload":{"headers":{"Authorization":"Bearer expired"}}}"#], 4403),
        ([#"{"type":"connection_init","payload":{"accessToken":"crash"}}"#], 4500),
        ([#"{"type":"connection_init","payload":{"accessToken":"overloaded"}}"#], 1013),
        (
            [
                #"{"type":"connection_init"}"#,
                #"{"id":"s","type":"subscribe","payload":{"query":"subscription { silence }"}}"#,
                #"{"id":"s","type":"subscribe","payload":{"query":"{ hello }"}}"#,
            ], 4409
        ),
    ])
    func closesByACode(_ messages: [String], _ code: Int) async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                #expect(try await client.handshake() == 101)
                for message in messages { try await client.send(message) }
                var last = try await client.message()
                if last == #"{"type":"connection_ack"}"# { last = try await client.message() }
                #expect(last.hasPrefix("\(code): "))
                #expect(last.count > "\(code): ".count)
                try await server.reaches("graphql_open_subscriptions 0")
            }
            try await server.reaches("graphql_open_sockets 0")
        }
    }

    @Test func waitsForTheInitForThreeSeconds() async throws {
        try await TestServer.runByManualClock {
            $0.settings.streams.connectionInitTimeout = StreamLimits().connectionInitTimeout
        } _: { (server, clock) async throws in
            try await server.socket { (client) async throws in
                #expect(try await client.handshake() == 101)
                try await clock.pass(.seconds(3))
                #expect(try await client.message() == "4408: Connection initialisation timeout")
            }
        }
    }

    @Test(arguments: [
        ("{}", "ada", "ada"), (#"{"accessToken":"bob"}"#, nil, "bob"), (#"{"accessToken":"bob"}"#, "ada", "bob"),
        (#"{"headers":{"authorization":"Bearer cyd"}}"#, nil, "cyd"), (#"{"authToken":"bob"}"#, nil, "bob"),
        (#"{"Authorization":"Bearer bob"}"#, "ada", "bob"),
    ])
    func knowsItsClient(_ payload: String, _ header: String?, _ viewer: String) async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open(payload: payload, header.map { [("Authorization", "Bearer \($0)")] } ?? [])
                try await client.subscribe("1", "{ viewer }")
                #expect(
                    try await client.message()
                        == #"{"id":"1","type":"next","payload":{"data":{"viewer":"\#(viewer)"}}}"#)
                _ = try await client.message()
                try await client.subscribe("2", "subscription { viewerName }")
                #expect(
                    try await client.message()
                        == #"{"id":"2","type":"next","payload":{"data":{"viewerName":"\#(viewer)"}}}"#)
            }
        }
    }

    @Test func handsThePayloadToAuthentication() async throws {
        let schema = try TestSchema.make()
        try await TestServer.run {
            $0 = GraphQLServer(schema: schema, settings: $0.settings, logger: $0.logger) { head in
                TestContext(viewer: head.connectionParameters?["resumeAfter"].text)
            }
        } _: { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open(payload: #"{"resumeAfter":"cursor"}"#)
                try await client.subscribe("1", "{ viewer }")
                #expect(try await client.message().contains(#""viewer":"cursor""#))
            }
        }
    }

    @Test func endsWithTheSession() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open(payload: #"{"accessToken":"leaver"}"#)
                try await client.subscribe("1", "subscription { silence }")
                try await server.reaches("graphql_open_subscriptions 1")
                TestContext.endSession(of: "leaver")
                #expect(try await client.message() == "4403: Forbidden: the session has ended")
                try await server.reaches("graphql_open_subscriptions 0")
            }
        }
    }

    @Test func takesAFreshTokenByPing() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open(payload: #"{"accessToken":"stayer"}"#)
                for payload in [#"{"accessToken":"stayer"}"#, #"{"headers":{"Authorization":"Bearer stayer"}}"#] {
                    try await client.send(#"{"type":"ping","payload":\#(payload)}"#)
                    #expect(try await client.message() == #"{"type":"pong"}"#)
                }
                // But nobody else's.
                try await client.send(#"{"type":"ping","payload":{"accessToken":"thief"}}"#)
                #expect(try await client.message() == "4403: Forbidden")
            }
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.send(#"{"type":"ping","payload":{"accessToken":"expired"}}"#)
                #expect(try await client.message() == "4403: Forbidden")
            }
        }
    }

    /// Credentials whose check takes longer than that of later ones.
    @Test func theLatestTokenCounts() async throws {
        let schema = try TestSchema.make()
        try await TestServer.run {
            $0 = GraphQLServer(schema: schema, settings: $0.settings, logger: $0.logger) { head in
                let token = String(head.authorization?.dropFirst(7) ?? "")
                if token == "second" { try await Gate.named("second token").pass() }
                return TestContext(viewer: "renewing", requestID: token)
            }
        } _: { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open(payload: #"{"accessToken":"first"}"#)
                try await client.send(#"{"type":"ping","payload":{"accessToken":"second"}}"#)
                try await Gate.named("second token").fill(1)
                try await client.send(#"{"type":"ping","payload":{"accessToken":"third"}}"#)
                #expect(try await client.message() == #"{"type":"pong"}"#)
                Gate.named("second token").open()
                #expect(try await client.message() == #"{"type":"pong"}"#)
                try await client.subscribe("1", "{ requestId }")
                #expect(try await client.message().contains(#""requestId":"third""#))
            }
        }
    }

    @Test func repeatsTheCodeOfAClientThatCloses() async throws {
        try await TestServer.run { (server) async throws in
            try await server.socket { (client) async throws in
                try await client.open()
                try await client.subscribe("1", "subscription { silence }")
                try await server.reaches("graphql_open_subscriptions 1")
                try await client.sendFrame(0x88, [0x03, 0xE8])
                #expect(try await client.next() == .close(1000, ""))
                #expect(try await client.next() == .end)
            }
            try await server.reaches("graphql_open_subscriptions 0")
            try await server.reaches("graphql_open_sockets 0")
        }
    }
}
