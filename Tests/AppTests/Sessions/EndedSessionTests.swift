import Auth
import GraphQL
import Postgres
import Testing

@testable import App

/// Clients that still send the access token of an ended session.
@Suite(.timeLimit(.minutes(10))) struct EndedSessionTests {
    private static func token(
        _ environment: Environment, by tokens: AccessTokens? = nil, subject: String? = nil, age: Int64 = 0
    ) -> String {
        (tokens ?? environment.tokens).sign(
            subject: subject ?? worldID(.user, 0xA), session: worldID(.session, 0xA), isAnonymous: false,
            now: environment.unixSeconds - age
        ).token
    }

    /// The context of what runs after the session; nil for a token that is refused as invalid.
    private static func contextAfterSession(_ authorization: String, _ environment: Environment) async throws
        -> RequestContext?
    {
        do {
            _ = try await environment.authenticate(
                authorization: authorization, userAgent: "tests", address: "192.0.2.7", requestID: "r1")
            Issue.record("The token is valid.")
        } catch let ended as EndedSession {
            #expect(ended.error == .invalidToken)
            return ended.context
        } catch let error as ExecutionError {
            #expect(error == .invalidToken)
        }
        return nil
    }

    private static func isOfNobody(_ context: RequestContext?) -> Bool {
        guard let context else { return false }
        return context.viewer == nil && context.sessionID == nil && !context.isMember && !context.hasSessionEnded
            && context.address == "192.0.2.7" && context.userAgent == "tests" && context.requestID == "r1"
    }

    @Test func anExpiredTokenEndsItsSession() async throws {
        let world = try await World.make()
        for age: Int64 in [931, 100_000, 100 * 86_400] {
            let token = Self.token(world.environment, age: age)
            #expect(Self.isOfNobody(try await Self.contextAfterSession("Bearer \(token)", world.environment)), "\(age)")
        }
        await world.shutdown()
    }

    @Test func aTokenOfARetiredKeyEndsItsSession() async throws {
        let world = try await World.make()
        let tokens = world.environment.tokens
        let token = Self.token(world.environment)
        let now = world.environment.unixSeconds
        let keys = tokens.keys.rotated(now: now - 100_000, tokenLifetime: tokens.lifetime)
        let rotated = world.with {
            $0.tokens = AccessTokens(keys: keys, issuer: tokens.issuer, audience: tokens.audience)
            $0.verifiedTokens = VerifiedTokenCache($0.tokens)
            $0.now = { Timestamp(unixMilliseconds: (now + 86_400) * 1000) }
        }
        #expect(Self.isOfNobody(try await Self.contextAfterSession("Bearer \(token)", rotated.environment)))
        await world.shutdown()
    }

    @Test func aRevokedTokenEndsItsSession() async throws {
        let world = try await World.make()
        // Another server has ended it.
        let known = Self.token(world.environment)
        try await world.execute(
            script: "insert into revoked_sessions values ('\(worldUUID(0xA))', now() + interval '1 hour')")
        try await RevocationPoller(world.environment).poll()
        #expect(Self.isOfNobody(try await Self.contextAfterSession("Bearer \(known)", world.environment)))
        let environment = world.with { $0.revokedSessions = RevokedSessions() }.environment
        // Its session is not in the database, and the set of revoked sessions has never been read.
        let unknown = "Bearer \(Self.token(environment))"
        #expect(Self.isOfNobody(try await Self.contextAfterSession(unknown, environment)))
        try await RevocationPoller(environment).poll()
        // The answer of the database was noted.
        #expect(throws: EndedSession.self) {
            try environment.authenticateSynchronously(authorization: unknown, userAgent: nil, address: nil)
        }
        await world.shutdown()
    }

    /// A client that believes to be signed in hears that it is not.
    @Test func anInvalidTokenIsRefused() async throws {
        let world = try await World.make()
        let environment = world.environment
        let tokens = environment.tokens
        let expired = Self.token(environment, age: 100_000)
        let parts = expired.split(separator: ".").map(String.init)
        let others = [
            AccessTokens(keys: .generate(now: 0), issuer: tokens.issuer, audience: tokens.audience),
            AccessTokens(keys: tokens.keys, issuer: "https://other.example", audience: tokens.audience),
            AccessTokens(keys: tokens.keys, issuer: tokens.issuer, audience: "another"),
        ]
        for authorization in [
            expired, "Token \(expired)", "Bearer", "Bearer ", "Bearer x", "Bearer \(expired) ", "Bearer \(expired)x",
            "Bearer \(parts[0]).\(parts[1]).", "Bearer \(parts[0]).\(parts[1]).\(String(parts[2].reversed()))",
            "Bearer \(Self.token(environment, age: -100_000))",
            "Bearer \(Self.token(environment, subject: worldID(.thought, 1)))",
        ] + others.map({ "Bearer \(Self.token(environment, by: $0, age: 100_000))" }) {
            #expect(try await Self.contextAfterSession(authorization, environment) == nil, "\(authorization)")
        }
        await world.shutdown()
    }

    /// Every other root field of the schema is refused.
    @Test func mutationsThatRunAfterASession() throws {
        let schema = try Domain.schema()
        func fields(_ type: OperationType) -> [String] {
            schema.rootType(for: type).map { schema[$0].fields.map(\.name) } ?? []
        }
        let keeping = InputObject([
            (name: "input", value: .object(InputObject([(name: "mergeAnonymous", value: .boolean(true))])))
        ])
        let leaving = InputObject([
            (name: "input", value: .object(InputObject([(name: "mergeAnonymous", value: .boolean(false))])))
        ])
        let ones: Set = [
            "refreshSession", "signInAnonymously", "requestPasswordReset", "resetPassword", "confirmEmail",
        ]
        #expect(fields(.mutation).count > 40)
        #expect(Set(fields(.mutation).filter { Domain.runsAfterSession($0, keeping) }) == ones)
        #expect(Set(fields(.mutation).filter { Domain.runsAfterSession($0, leaving) }) == ones.union(["signIn"]))
        #expect(!Domain.runsAfterSession("signIn", InputObject()))
        for type in [OperationType.query, .subscription] {
            #expect(!fields(type).isEmpty && !fields(type).contains { Domain.runsAfterSession($0, leaving) })
        }
    }

    /// The coerced arguments decide.
    @Test(arguments: [
        (#"signIn(input: {login: "ana", password: "x"})"#, true),
        (#"signIn(input: {login: "ana", password: "x", mergeAnonymous: false})"#, true),
        (#"signIn(input: {login: "ana", password: "x", mergeAnonymous: true})"#, false),
        (#"signIn(input: {login: "ana", password: "x", mergeAnonymous: $merges})"#, false),
        ("signIn(input: $merging)", false), ("signIn(input: $input)", true),
    ])
    func signInBeginsANewSessionOnly(_ field: String, _ renews: Bool) throws {
        let schema = try Domain.executableSchema()
        let definitions = "$merges: Boolean! = false, $merging: SignInInput!, $input: SignInInput!"
        let document = try parse(Source("mutation(\(definitions)) { \(field) { accessToken } }"))
        let operation = try PreparedOperation(document, operationName: nil, schema: schema)
        let input = [(name: "login", value: InputValue.string("ana")), (name: "password", value: .string("x"))]
        let merging = input + [(name: "mergeAnonymous", value: .boolean(true))]
        let variables = try coerceVariableValues(
            schema.schema, operation.operation.variableDefinitions,
            InputObject([
                (name: "merges", value: .boolean(true)), (name: "merging", value: .object(InputObject(merging))),
                (name: "input", value: .object(InputObject(input))),
            ]), source: document.source)
        let fields = try operation.selectedRootFields(for: variables)
        #expect(fields.map { Domain.runsAfterSession($0.name, $0.arguments) } == [renews])
    }

    @Test func theRequestCountsAsItsAddress() async throws {
        let world = try await World.make(writers: 8) {
            $0.signIns.quota = 2
            $0.signIns.window = RateTests.longWindow
        }
        let token = Self.token(world.environment, age: 100_000)
        let signIn = RateTests.signIn("ana", "correct horse battery")
        var codes: [String?] = []
        for _ in 0..<3 {
            let context = try #require(try await Self.contextAfterSession("Bearer \(token)", world.environment))
            codes.append(try await world.ask(signIn, context).code)
        }
        #expect(codes == [nil, nil, "RATE_LIMITED"])
        await world.shutdown()
    }
}
