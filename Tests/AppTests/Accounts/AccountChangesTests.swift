import Postgres
import Testing

@testable import App

/// What an account sees of itself changes where it is open elsewhere, and a session that is ended says so.
@Suite struct AccountChangesTests {
    private static let viewer = "viewer { email pendingEmail emailVerified user { displayName } }"

    @Test func ofTheProfileAndTheAddresses() async throws {
        let live = try await LiveWorld.make()
        let changes = try await live.subscribe("viewerChanges { \(Self.viewer) }", as: .ana)
        let others = try await live.subscribe("viewerChanges { \(Self.viewer) }", as: .ben)
        let steps = [
            "updateProfile(input: {displayName: \"Ana María\"})",
            "changeEmail(input: {password: \"correct horse battery\", newEmail: \"new@example.org\"})",
            "changeEmail(input: {password: \"correct horse battery\", newEmail: \"ana@example.org\"})",
        ]
        var seen: [String?] = []
        for (number, step) in steps.enumerated() {
            let answer = try await live.world.ask("mutation { \(step) { userErrors { code } } }", as: .ana)
            #expect(answer.isData, "\(answer.text)")
            let last = try #require(try await changes.take(number + 1).last)
            #expect(last.string("viewerChanges", "viewer", "user", "displayName") == "Ana María")
            seen.append(last.string("viewerChanges", "viewer", "pendingEmail"))
        }
        #expect(seen == [nil, "new@example.org", nil])
        try await live.settle()
        #expect(changes.count == 3)
        #expect(others.count == 0)
        await live.shutdown()
    }

    @Test func aRevokedSessionIsTold() async throws {
        let live = try await LiveWorld.make()
        let world = live.world
        let signIn = try await world.ask(
            """
            mutation { signIn(input: {login: "ana", password: "correct horse battery"}) \
            { accessToken session { id } } }
            """, as: .nobody)
        let token = try #require(signIn.string("signIn", "accessToken"))
        let session = try #require(signIn.string("signIn", "session", "id"))
        let context = try await world.environment.authenticate(
            authorization: "Bearer \(token)", userAgent: "tests", address: nil)
        let stream = try await live.stream("sessionChanges { state }", context)
        // As the transport does it.
        let stop = context.onSessionEnd { stream.conclude?() }
        defer { stop?() }
        let changes = Subscriber(stream)
        #expect(try await changes.take(1).first?.string("sessionChanges", "state") == "SIGNED_IN")
        #expect(!context.hasSessionEnded)
        let answer = try await world.ask(
            "mutation { revokeSession(input: {sessionId: \"\(session)\"}) { userErrors { code } } }", as: .ana)
        #expect(answer.isData)
        #expect(context.hasSessionEnded)
        #expect(try await changes.take(2).last?.string("sessionChanges", "state") == "SIGNED_OUT")
        await live.shutdown()
    }

    /// One of the two is first: either the session begins with the new password's knowledge, or it ends with the old
    /// one.
    @Test func noSessionOutlivesAChangeOfThePassword() async throws {
        let world = try await World.make(writers: 8)
        let signIns = 12
        let answers = try await concurrently(signIns + 1) { number in
            if number == signIns / 2 {
                return try await world.ask(
                    """
                    mutation { changePassword(input: {currentPassword: "correct horse battery", \
                    newPassword: "a long quiet evening"}) { userErrors { code } } }
                    """, as: .ana)
            }
            return try await world.ask(
                """
                mutation { signIn(input: {login: "ana\(number % 2 == 0 ? "" : "@example.org")", \
                password: "correct horse battery"}) { accessToken userErrors { code } } }
                """, as: .nobody)
        }
        #expect(answers[signIns / 2].isData, "\(answers[signIns / 2].text)")
        let alive: SQL = "select count(*) from sessions where user_id = \(worldUUID(0xA)) and revoked_at is null"
        #expect(try await world.number(alive) == 1)
        await world.shutdown()
    }
}
