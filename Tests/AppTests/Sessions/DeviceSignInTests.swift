import Auth
import Cryptography
import Postgres
import Testing

@testable import App

/// The owner's device gets in, whatever strangers do; and nobody gets in by a device token.
@Suite struct DeviceSignInTests {
    private static let password = "correct horse battery"

    private func signIn(
        _ world: World, _ deviceToken: String?, login: String = "ana", password: String = Self.password,
        address: String = "192.0.2.7"
    ) async throws -> Answer {
        let token = deviceToken.map { ", deviceToken: \"\($0)\"" } ?? ""
        let context = RequestContext(environment: world.environment, viewer: nil, address: address)
        return try await world.ask(
            """
            mutation { signIn(input: {login: "\(login)", password: "\(password)"\(token)}) \
            { deviceToken refreshToken accessToken userErrors { code } } }
            """, context)
    }

    private func deviceToken(_ world: World, login: String = "ana") async throws -> String {
        let answer = try await signIn(world, nil, login: login)
        return try #require(answer.string("signIn", "deviceToken"), "\(answer.text)")
    }

    /// So many failures that no pause of the machine is longer than the wait.
    private func shut(_ login: String, _ world: World) async throws {
        try await world.execute(
            script: """
                insert into sign_in_attempts values (sha256('\(login)'), 14, now())
                on conflict (login_hash) do update set failures = 14, last_at = now()
                """)
    }

    private func passes(_ deviceToken: String, _ world: World, password: String = Self.password) async throws -> Bool {
        try await shut("ana", world)
        let answer = try await signIn(world, deviceToken, password: password)
        if !answer.isData { #expect(answer.code == "RATE_LIMITED", "\(answer.text)") }
        return answer.isData
    }

    @Test func itPassesTheBackOffOfTheLogin() async throws {
        let world = try await World.make(writers: 8)
        let token = try await deviceToken(world)
        try await shut("ana", world)
        #expect(try await signIn(world, nil).code == "RATE_LIMITED")
        #expect(try await signIn(world, token).isData)
        #expect(try await signIn(world, nil).code == "RATE_LIMITED", "Strangers go on waiting.")
        await world.shutdown()
    }

    @Test func itPassesTheLimitOfItsAddressAndHasOneOfItsOwn() async throws {
        let world = try await World.make(writers: 8) {
            $0.signIns.quota = 1
            $0.signIns.window = RateTests.longWindow
            $0.deviceSignIns.quota = 3
            $0.deviceSignIns.window = RateTests.longWindow
        }
        let token = try await deviceToken(world)
        #expect(try await signIn(world, nil).code == "RATE_LIMITED")
        for _ in 0..<3 { #expect(try await signIn(world, token).isData) }
        // It is then a stranger, of this address and of another.
        #expect(try await signIn(world, token).code == "RATE_LIMITED")
        #expect(try await signIn(world, token, address: "192.0.2.8").isData)
        await world.shutdown()
    }

    /// Its guesses have to wait as those of strangers do, and hold nobody else back.
    @Test func guessesWithItAreCounted() async throws {
        let world = try await World.make(writers: 8)
        let token = try await deviceToken(world)
        let other = try await deviceToken(world)
        for _ in 0..<5 {
            #expect(try await signIn(world, token, password: "wrong").userErrors == ["WRONG_CREDENTIALS"])
        }
        #expect(try await world.number("select failures from sign_in_attempts") == 5)
        #expect(try await signIn(world, nil).isData, "The login does not wait for it.")
        try await world.execute(script: "update sign_in_attempts set failures = 14, last_at = now()")
        #expect(try await !passes(token, world))
        #expect(try await passes(other, world), "Another device is not held back.")
        await world.shutdown()
    }

    /// The password is asked for all the same; another account's token and a forged one count as none.
    @Test func itIsNoCredentialAndOfOneAccount() async throws {
        let world = try await World.make(writers: 8)
        let ben = try await deviceToken(world, login: "ben")
        let ana = try await deviceToken(world)
        #expect(try await signIn(world, ana, password: "wrong").userErrors == ["WRONG_CREDENTIALS"])
        #expect(try await !passes(ben, world))
        #expect(try await !passes("", world))
        #expect(try await !passes(String(ana.dropLast()) + (ana.last == "A" ? "B" : "A"), world))
        #expect(try await passes(ana, world))
        let foreign = try await World.make()
        #expect(try await !passes(try await deviceToken(foreign), world), "Of a server with other keys.")
        await foreign.shutdown()
        let anonymous = try await world.ask("mutation { signInAnonymously { deviceToken } }", as: .nobody)
        #expect(anonymous["signInAnonymously", "deviceToken"] == .null)
        await world.shutdown()
    }

    @Test(
        arguments: [
            "revokeOtherSessions(input: {})", "revokeSession(input: {sessionId: \"\(worldID(.session, 0x10A))\"})",
            "deleteAccount(input: {password: \"\(password)\"})",
            "changePassword(input: {currentPassword: \"\(password)\", newPassword: \"\(newPassword)\"})",
            "resetPassword(input: {token: \"TOKEN\", newPassword: \"\(newPassword)\"})",
        ])
    func itEndsWithWhatShutsOthersOut(_ mutation: String) async throws {
        let world = try await World.make(writers: 8)
        let token = try await deviceToken(world)
        #expect(try await passes(token, world))
        let reset = OneTimeToken(named: "reset", world.environment.oneTimeTokenKey)
        try await world.execute(
            script: """
                insert into one_time_tokens (hash, user_id, purpose, email, expires_at)
                values ('\\x\(Hex.encode(reset.hash.bytes))', '\(worldUUID(0xA))', 'RESET_PASSWORD', 'ana@example.org', now() + interval '1 hour')
                """)
        let field = mutation.replacing("TOKEN", with: reset.text)
        #expect(try await world.ask("mutation { \(field) { userErrors { code } } }", as: .ana).isData)
        let password = mutation.contains(Self.newPassword) ? Self.newPassword : Self.password
        #expect(try await !passes(token, world, password: password))
        await world.shutdown()
    }

    private static let newPassword = "a long quiet evening"

    @Test func itOutlivesItsSession() async throws {
        let world = try await World.make(writers: 8)
        let answer = try await signIn(world, nil)
        let token = try #require(answer.string("signIn", "deviceToken"))
        let session = try await bearer(answer, world)
        #expect(try await world.ask("mutation { signOut { userErrors { code } } }", session).isData)
        #expect(try await passes(token, world))
        await world.shutdown()
    }

    /// The session that changed the password goes on, and its device is known again.
    @Test func aRefreshGivesTheOneThatCounts() async throws {
        let world = try await World.make(writers: 8)
        let answer = try await signIn(world, nil)
        let first = try #require(answer.string("signIn", "deviceToken"))
        let change = """
            changePassword(input: {currentPassword: "\(Self.password)", newPassword: "\(Self.newPassword)"})
            """
        let session = try await bearer(answer, world)
        #expect(try await world.ask("mutation { \(change) { userErrors { code } } }", session).isData)
        #expect(try await !passes(first, world, password: Self.newPassword))
        let refreshed = try await refresh(try #require(answer.string("signIn", "refreshToken")), world)
        let second = try #require(refreshed.string("refreshSession", "deviceToken"))
        #expect(second != first)
        #expect(try await passes(second, world, password: Self.newPassword))
        await world.shutdown()
    }

    /// Whoever used an old refresh token may have the device token, too.
    @Test func itEndsWithTheReuseOfARefreshToken() async throws {
        let world = try await World.make(writers: 8)
        let answer = try await signIn(world, nil)
        let token = try #require(answer.string("signIn", "deviceToken"))
        let first = try #require(answer.string("signIn", "refreshToken"))
        let second = try #require(try await refresh(first, world).string("refreshSession", "refreshToken"))
        let third = try #require(try await refresh(second, world).string("refreshSession", "refreshToken"))
        _ = try await refresh(third, world)
        #expect(try await passes(token, world))
        #expect(try await refresh(first, world).code == "UNAUTHENTICATED")
        #expect(try await !passes(token, world))
        await world.shutdown()
    }

    @Test func signingUpGivesOne() async throws {
        let world = try await World.make(writers: 8)
        let answer = try await world.ask(
            """
            mutation { signUp(input: {username: "fred", email: "fred@example.org", password: "\(Self.newPassword)"}) \
            { deviceToken userErrors { code } } }
            """, as: .nobody)
        let token = try #require(answer.string("signUp", "deviceToken"))
        try await shut("fred", world)
        #expect(try await signIn(world, token, login: "fred", password: Self.newPassword).isData)
        await world.shutdown()
    }

    private func bearer(_ answer: Answer, _ world: World) async throws -> RequestContext {
        let token = try #require(answer.string("signIn", "accessToken"))
        return try await world.environment.authenticate(
            authorization: "Bearer \(token)", userAgent: nil, address: nil)
    }

    private func refresh(_ token: String, _ world: World) async throws -> Answer {
        try await world.ask(
            "mutation { refreshSession(input: {refreshToken: \"\(token)\"}) { refreshToken deviceToken } }",
            as: .nobody)
    }
}
