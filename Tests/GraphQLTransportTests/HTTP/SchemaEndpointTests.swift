import Cryptography
import GraphQL
import GraphQLTransport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SchemaEndpointTests {
    private let strict = "application/graphql-response+json"

    @Test func answersWithDataAndErrorsOfFields() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.post(#"{"query":"{ hello secret }"}"#, accept: strict)
            #expect(reply.status == 200)
            #expect(reply.data?["hello"] == .string("Hello world"))
            #expect(reply.errorCodes == ["FORBIDDEN"])
        }
    }

    @Test func passesVariablesAndOperationNames() async throws {
        try await TestServer.run { (server) async throws in
            let body = #"""
                {"query":"query A { hello } query B($v: Int!) { echo(value: $v) }","operationName":"B",
                "variables":{"v":7}}
                """#
            #expect(try await server.post(body).data == .object(InputObject([(name: "echo", value: .int(7))])))
            let unnamed = try await server.post(
                #"{"query":"query A { hello } query B { viewer }"}"#, accept: strict)
            #expect(unnamed.status == 400)
            #expect(unnamed.errorCodes == ["OPERATION_RESOLUTION_FAILED"])
        }
    }

    @Test(arguments: [
        ("{", "GRAPHQL_PARSE_FAILED"), ("{ nope }", "GRAPHQL_VALIDATION_FAILED"),
        ("query($v: Int!) { echo(value: $v) }", "BAD_USER_INPUT"),
    ])
    func tellsWhatIsWrongByACode(_ query: String, _ code: String) async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.post(#"{"query":"\#(query)"}"#, accept: strict)
            #expect(reply.status == 400)
            #expect(reply.errorCodes == [code])
            #expect(reply.data == nil)
            let legacy = try await server.post(#"{"query":"\#(query)"}"#, accept: "application/json")
            #expect(legacy.status == 200)
            #expect(legacy.errorCodes == [code])
        }
    }

    @Test func authenticatesBeforeItExecutes() async throws {
        try await TestServer.run { (server) async throws in
            let viewer = try await server.post(#"{"query":"{ viewer }"}"#, [("Authorization", "Bearer ann")])
            #expect(viewer.data?["viewer"] == .string("ann"))
            let expired = try await server.post(
                #"{"query":"{ viewer }"}"#, accept: strict, [("Authorization", "Bearer expired")])
            #expect(expired.status == 401)
            #expect(expired["WWW-Authenticate"] == "Bearer")
            #expect(expired.errorCodes == ["UNAUTHENTICATED"])
        }
    }

    private static let ended = ("Authorization", "Bearer ended")

    /// A server on which `enter` without `keeps` runs after a session. It authenticates with and without waiting.
    private static func afterSession(
        _ configure: @Sendable (inout GraphQLServer<TestContext>) -> Void = { _ in },
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        for answersAtOnce in [false, true] {
            try await TestServer.run(
                {
                    $0.runsAfterSession = { field, arguments in
                        field == "enter" && arguments["keeps"] == .boolean(false)
                    }
                    if answersAtOnce { $0.authenticateSynchronously = TestContext.authenticateSynchronously }
                    configure(&$0)
                }, body)
        }
    }

    /// The context has no viewer.
    @Test(arguments: [
        "mutation { enter }", "mutation { __typename a: enter ...E } fragment E on Mutation { b: enter(keeps: false) }",
        "mutation { enter touch @skip(if: true) }", "mutation($k: Boolean! = false) { enter(keeps: $k) }",
        "mutation($i: Boolean! = false) { enter touch @include(if: $i) }",
    ])
    func aMutationRunsAfterASession(_ query: String) async throws {
        try await Self.afterSession { (server) async throws in
            let reply = try await server.post(#"{"query":"\#(query)"}"#, accept: strict, [Self.ended])
            #expect(reply.status == 200 && reply.body.contains("nobody"), "\(reply.body)")
            let parts = try await server.post(#"{"query":"\#(query)"}"#, accept: "multipart/mixed", [Self.ended])
            #expect(parts.status == 200 && parts.body.contains("nobody"), "\(parts.body)")
            try await server.stream { (client) async throws in
                #expect(try await client.post(query, accept: "text/event-stream", [Self.ended]).status == 200)
                #expect(try await client.event().contains("nobody"))
            }
        }
    }

    /// A client that assumes that it is signed in hears that it is not, before anything else about its operation.
    @Test(arguments: [
        "{ viewer }", "{ __typename }", "mutation { touch }", "mutation { enter touch }", "mutation { __typename }",
        "mutation { enter(keeps: true) }", "mutation($k: Boolean! = true) { enter(keeps: $k) }",
        "mutation { enter @skip(if: true) }",
        "mutation { enter ...T } fragment T on Mutation { touch }",
        "mutation($i: Boolean! = true) { enter touch @include(if: $i) }", "{ __schema { queryType { name } } }",
        "subscription { ticks }", "{", "{ nope }", "query($v: Int!) { echo(value: $v) }",
        "mutation($v: Boolean!) { enter(keeps: $v) }", "mutation A { enter } mutation B { touch }",
    ])
    func allElseIsRefusedAfterASession(_ query: String) async throws {
        try await Self.afterSession {
            $0.allowsIntrospection = { $0.viewer != nil }
        } _: { (server) async throws in
            for accept in [strict, "text/event-stream"] {
                for extensions in ["", #","extensions":{"check":true}"#, #","extensions":{"plan":true}"#] {
                    let reply = try await server.post(
                        #"{"query":"\#(query)"\#(extensions)}"#, accept: accept, [Self.ended])
                    #expect(reply.status == 401, "\(accept) \(reply.body)")
                    #expect(reply["WWW-Authenticate"] == "Bearer")
                    #expect(reply.errorCodes == ["UNAUTHENTICATED"])
                }
            }
            let parts = try await server.post(#"{"query":"\#(query)"}"#, accept: "multipart/mixed", [Self.ended])
            #expect(parts.errorCodes == ["UNAUTHENTICATED"])
        }
    }

    @Test func theOperationThatRunsDecides() async throws {
        try await Self.afterSession { (server) async throws in
            for (name, status) in [("A", 200), ("B", 401), ("C", 401), ("D", 401)] {
                let body = #"""
                    {"query":"mutation A { enter } mutation B { touch } query C { viewer }","operationName":"\#(name)"}
                    """#
                #expect(try await server.post(body, accept: strict, [Self.ended]).status == status, "\(name)")
            }
            let mutation = try await server.send("GET", "/graphql?query=mutation%7Benter%7D", [Self.ended])
            #expect(mutation.status == 405)
            let query = try await server.send(
                "GET", "/graphql?query=%7Bviewer%7D", [("Accept", strict), Self.ended])
            #expect(query.status == 401)
        }
    }

    /// A client whose document the server does not know has to send it.
    @Test func persistedQueriesAreFoundAfterASession() async throws {
        try await Self.afterSession { (server) async throws in
            for (query, status) in [("mutation { enter }", 200), ("{ viewer }", 401)] {
                let hash = SHA256.digest(of: query).hex
                let extensions = #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"#
                let unknown = try await server.post("{\(extensions)}", [Self.ended])
                #expect(unknown.errorCodes == ["PERSISTED_QUERY_NOT_FOUND"])
                _ = try await server.post(#"{"query":"\#(query)",\#(extensions)}"#)
                #expect(try await server.post("{\(extensions)}", accept: strict, [Self.ended]).status == status)
            }
        }
    }

    @Test(arguments: ["{ __typename }", "{ viewer }", "{ hello secret }", "{ nope }", "mutation { nope }"])
    func answersAlikeWhetherItWaitsForTheContextOrNot(_ query: String) async throws {
        let body = #"{"query":"\#(query)"}"#
        let id = ("X-Request-Id", "abc-1")
        let waited = Mutex<HTTPReply?>(nil)
        try await TestServer.run { (server) async throws in
            let reply = try await server.post(body, accept: strict, [id])
            waited.withLock { $0 = reply }
        }
        try await TestServer.run {
            $0.authenticateSynchronously = { head in
                TestContext(viewer: nil, requestID: head.requestID.description)
            }
        } _: { (server) async throws in
            let reply = try await server.post(body, accept: strict, [id])
            let waited = waited.withLock { $0 }
            #expect(reply.status == waited?.status && reply.body == waited?.body)
        }
    }

    @Test func refusesAtOnceAndPipelines() async throws {
        try await TestServer.run {
            $0.authenticateSynchronously = { head in
                if head.authorization != nil { throw GraphQLError("No.", code: ErrorCode(rawValue: "UNAUTHENTICATED")) }
                return TestContext(viewer: nil, requestID: "")
            }
        } _: { (server) async throws in
            let refused = try await server.post(#"{"query":"{ hello }"}"#, accept: strict, [("Authorization", "x")])
            #expect(refused.status == 401)
            #expect(refused.errorCodes == ["UNAUTHENTICATED"])
            try await server.connect { (connection) async throws in
                let body = #"{"query":"{ __typename }"}"#
                let request = """
                    POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                    Content-Length: \(body.utf8.count)\r\n\r\n\(body)
                    """
                try await connection.write(String(repeating: request, count: 20))
                for _ in 0..<20 {
                    let reply = try await connection.reply(to: "POST")
                    #expect(reply.data == .object(InputObject([(name: "__typename", value: .string("Query"))])))
                }
            }
        }
    }

    @Test func masksWhatItDoesNotKnow() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.post(
                #"{"query":"{ viewer }"}"#, accept: strict,
                [("Authorization", "Bearer crash"), ("X-Request-Id", "abc-1")])
            #expect(reply.status == 500)
            #expect(reply.errorCodes == ["INTERNAL_SERVER_ERROR"])
            #expect(!reply.body.contains("hunter2"))
            #expect(reply.messages.first?.contains("abc-1") == true)
        }
    }

    @Test func endsWhatTakesTooLong() async throws {
        try await TestServer.runByManualClock { (server, clock) async throws in
            async let answer = server.post(#"{"query":"{ gated(gate: \"never over HTTP\") }"}"#, accept: strict)
            try await Gate.named("never over HTTP").fill(1)
            try await clock.pass(.minutes(10))
            let reply = try await answer
            #expect(reply.status == 503)
            #expect(reply.errorCodes == ["TIMEOUT"])
        }
    }

    @Test func refusesTooLargeDocuments() async throws {
        try await TestServer.run { (server) async throws in
            let spaces = String(repeating: " ", count: 70_000)
            let large = try await server.post(#"{"query":"{ hello \#(spaces) }"}"#, accept: strict)
            #expect(large.status == 400)
            #expect(large.errorCodes == ["QUERY_TOO_COMPLEX"])
            #expect(large.body.contains(#""limit":"documentSize","maximum":65536,"actual":70010}"#), "\(large.body)")
            let tokens = String(repeating: "hello ", count: 2_100)
            let many = try await server.post(#"{"query":"{ \#(tokens) }"}"#, accept: strict)
            #expect(many.status == 400)
        }
    }

    @Test func refusesTooComplexOperations() async throws {
        try await TestServer.run {
            $0.settings.queryLimits.depth = 3
        } _: { (server) async throws in
            let fine = try await server.post(#"{"query":"{ book(id: 1) { next { id } } }"}"#, accept: strict)
            #expect(fine.status == 200)
            let deep = try await server.post(#"{"query":"{ book(id: 1) { next { next { id } } } }"}"#, accept: strict)
            #expect(deep.status == 400)
            #expect(deep.errorCodes == ["QUERY_TOO_COMPLEX"])
            // A cached document is measured too.
            let again = try await server.post(#"{"query":"{ book(id: 1) { next { next { id } } } }"}"#, accept: strict)
            #expect(again.status == 400)
        }
    }

    @Test func hidesTheSchemaFromThoseWhoMayNotSeeIt() async throws {
        try await TestServer.run {
            $0.allowsIntrospection = { $0.viewer != nil }
        } _: { (server) async throws in
            let introspection = #"{"query":"{ __schema { queryType { name } } }"}"#
            #expect(try await server.post(introspection, accept: strict).status == 400)
            let known = try await server.post(introspection, accept: strict, [("Authorization", "Bearer ann")])
            #expect(known.data?["__schema"]?["queryType"]?["name"] == .string("Query"))
            // Also once the document is in the cache.
            #expect(try await server.post(introspection, accept: strict).status == 400)
            let typo = try await server.post(#"{"query":"{ helo }"}"#)
            #expect(typo.messages.allSatisfy { !$0.contains("hello") })
            let helped = try await server.post(#"{"query":"{ helo }"}"#, [("Authorization", "Bearer ann")])
            #expect(helped.messages.contains { $0.contains("hello") })
        }
    }

    @Test func introspectionIsCountedAndItsAnswerKept() async throws {
        try await TestServer.run { (server) async throws in
            func body(_ query: String, _ extensions: String = "{}") -> String {
                let text = query.split(separator: "\n").joined(separator: " ").replacing("\"", with: "\\\"")
                return "{\"query\":\"\(text)\",\"extensions\":\(extensions)}"
            }
            let first = try await server.post(body(introspectionQuery), accept: strict)
            #expect(first.status == 200 && first.errorCodes.isEmpty)
            for accept in [strict, "text/event-stream"] {
                let again = try await server.post(body(introspectionQuery), accept: accept)
                #expect(again.status == 200 && again.body.contains(first.body))
            }
            let costly = try await server.post(body(introspectionQuery, #"{"cost":true}"#), accept: strict)
            #expect(costly.json["extensions"]?["cost"]?["cost"]?["actual"] == .int(500))
            #expect(costly.data == first.data)
            let type = "type { kind name ofType { kind name } }"
            let fields = "fields(includeDeprecated: true) { name description args { name \(type) } \(type) }"
            let wide = "{ __schema { types { \((0..<25).map { "a\($0): \(fields)" }.joined(separator: " ")) } } }"
            for _ in 0..<2 {
                let refused = try await server.post(body(wide), accept: strict)
                #expect(refused.status == 400)
                #expect(refused.errorCodes == ["QUERY_TOO_COMPLEX", "QUERY_TOO_COMPLEX"])
                let namesLimit = refused.body.contains(#""limit":"introspectionSize""#)
                #expect(namesLimit)
            }
        }
    }

    @Test func directivesAreCountedBeforeTheDocumentIsValidated() async throws {
        try await TestServer.run { (server) async throws in
            let directives = String(repeating: "@nope ", count: 5)
            let reply = try await server.post(#"{"query":"{ hello \#(directives) }"}"#, accept: strict)
            #expect(reply.errorCodes == ["QUERY_TOO_COMPLEX"])
            #expect(reply.body.contains(#""limit":"directives","maximum":4,"actual":5"#))
        }
    }

    @Test func sendsHeadersThatTheContextGives() async throws {
        try await TestServer.run {
            $0.responseHeaders = { [("Tertulia-Position", $0.viewer ?? "none\r\nEvil: 1")] }
        } _: { (server) async throws in
            let reply = try await server.post(#"{"query":"{ hello }"}"#, [("Authorization", "Bearer 42")])
            #expect(reply["Tertulia-Position"] == "42")
            let forged = try await server.post(#"{"query":"{ hello }"}"#)
            #expect(forged["Evil"] == nil)
        }
    }

    /// Whatever the response is made of.
    @Test(arguments: ["application/json", "text/event-stream", "multipart/mixed; incrementalSpec=v0.2"])
    func headersOfTheContextGoWithEveryFormat(_ accept: String) async throws {
        try await TestServer.run {
            $0.responseHeaders = { _ in [("RateLimit", "\"writes\";r=1;t=7")] }
        } _: { (server) async throws in
            let one = try await server.post(#"{"query":"{ hello }"}"#, accept: accept)
            #expect(one["RateLimit"] == "\"writes\";r=1;t=7")
            #expect(one["Retry-After"] == nil)
            let deferred = #"{"query":"{ limited(seconds: 7) ... @defer { hello } }"}"#
            let parts = try await server.post(deferred, accept: accept)
            #expect(parts["RateLimit"] == "\"writes\";r=1;t=7")
            #expect(parts["Retry-After"] == "7")
        }
    }

    /// Data beside it or not, and until all of it can be tried again.
    @Test func aRefusedFieldSaysWhenToComeBack() async throws {
        try await TestServer.run { (server) async throws in
            let body = #"{"query":"{ hello a: limited(seconds: 7) b: limited(seconds: 9) }"}"#
            let reply = try await server.post(body)
            #expect(reply.status == 200)
            #expect(reply["Retry-After"] == "9")
            #expect(try await server.post(#"{"query":"{ hello secret }"}"#)["Retry-After"] == nil)
        }
    }

    @Test func refusesSubscriptionsThatItCannotStream() async throws {
        try await TestServer.run { (server) async throws in
            #expect(try await server.post(#"{"query":"subscription { ticks }"}"#).status == 406)
        }
    }

    @Test func refusesJSONThatNestsTooDeeply() async throws {
        try await TestServer.run { (server) async throws in
            let deep = String(repeating: "[", count: 100_000)
            let reply = try await server.post(#"{"query":"{ hello }","variables":\#(deep)"#)
            #expect(reply.status == 400)
            #expect(reply.errorCodes == ["BAD_REQUEST"])
        }
    }

    @Test func refusesBatches() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.post(#"[{"query":"{ hello }"},{"query":"{ hello }"}]"#)
            #expect(reply.status == 400)
        }
    }
}
