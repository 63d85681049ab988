import Auth
import Postgres
import Testing

@testable import App

/// What a suspended account may still do, and who decides on it.
@Suite struct SuspensionTests {
    private static let password = "correct horse battery"

    private static func suspend(_ person: UInt64, until: String = "2099-01-01T00:00:00Z") -> String {
        let input = "userId: \"\(worldID(.user, person))\", until: \"\(until)\", reason: SPAM"
        return """
            mutation { suspendUser(input: {\(input)}) { user { id suspension { until reason createdAt } } \
            userErrors { code field } } }
            """
    }

    private static func unsuspend(_ person: UInt64) -> String {
        let input = "userId: \"\(worldID(.user, person))\""
        return """
            mutation { unsuspendUser(input: {\(input)}) { user { id suspension { until } } userErrors { code field } } }
            """
    }

    private static let like = """
        mutation { likeThought(input: {thoughtId: "\(worldID(.thought, 0x201))"}) { userErrors { code } } }
        """

    private static func isRefused(_ answer: Answer) -> Bool {
        answer.code == "FORBIDDEN" && answer.reason == "SUSPENDED"
            && answer.text.contains("\"cause\":\"SPAM\",\"until\":\"2099-01-01T00:00:00.000Z\"")
    }

    @Test func signingInIsRefusedWithReasonAndEnd() async throws {
        let world = try await World.make()
        #expect(try await world.ask(Self.suspend(0xB), as: .mod).isData)
        let refused = try await world.ask(RateTests.signIn("ben", Self.password), as: .nobody)
        #expect(Self.isRefused(refused), "\(refused.text)")
        // Only who knows the password learns of it.
        let wrong = try await world.ask(RateTests.signIn("ben", "wrong"), as: .nobody)
        #expect(wrong.userErrors == ["WRONG_CREDENTIALS"])
        await world.shutdown()
    }

    /// At once here; other servers read the revoked sessions twice a second.
    @Test func sessionsEndAndCannotBeRefreshed() async throws {
        let world = try await World.make()
        let signedIn = try await world.ask(
            "mutation { signIn(input: {login: \"ben\", password: \"\(Self.password)\"}) { accessToken refreshToken } }",
            as: .nobody)
        let access = try #require(signedIn.string("signIn", "accessToken"))
        let refresh = try #require(signedIn.string("signIn", "refreshToken"))
        #expect(try await world.ask(Self.suspend(0xB), as: .mod).isData)
        let other = world.with { $0.revokedSessions = RevokedSessions() }
        try await RevocationPoller(other.environment).poll()
        for server in [world, other] {
            await #expect(throws: EndedSession.self) {
                try await server.environment.authenticate(
                    authorization: "Bearer \(access)", userAgent: nil, address: nil)
            }
        }
        let refused = try await world.ask(
            "mutation { refreshSession(input: {refreshToken: \"\(refresh)\"}) { accessToken } }", as: .nobody)
        #expect(Self.isRefused(refused), "\(refused.text)")
        #expect(
            try await world.number(
                "select count(*) from sessions where user_id = \(worldUUID(0xB)) and revoked_at is null") == 0)
        await world.shutdown()
    }

    /// A token that another server has not refused yet writes nothing: of each kind of write one.
    @Test(arguments: [
        like, "mutation { createThought(input: {category: FUNNY, text: \"x\"}) { thought { id } } }",
        "mutation { sendMessage(input: {conversationId: \"\(worldID(.conversation, 0x601))\", text: \"x\"}) { message { id } } }",
        "mutation { startConversation(input: {participantIds: [\"\(worldID(.user, 0xC))\"]}) { conversation { id } } }",
        "mutation { markAllNotificationsRead(input: {}) { viewer { id } } }",
        "mutation { updateProfile(input: {bio: \"x\"}) { viewer { id } } }",
        "mutation { blockUser(input: {userId: \"\(worldID(.user, 0xA))\"}) { user { id } } }",
        "mutation { reportContent(input: {subjectId: \"\(worldID(.thought, 0x201))\", reason: SPAM}) { report { id } } }",
        "mutation { deleteAccount(input: {password: \"\(password)\"}) { userErrors { code } } }",
        """
        mutation { registerPushDevice(input: {target: {apns: {deviceToken: "\(String(repeating: "ef", count: 32))", \
        topic: "x"}}}) { pushDevice { id } } }
        """,
    ])
    func nothingIsWritten(_ mutation: String) async throws {
        let world = try await World.make()
        #expect(try await world.ask(Self.suspend(0xB), as: .mod).isData)
        let before = try await Truth(of: world)
        let answer = try await world.ask(mutation, as: .ben)
        #expect(Self.isRefused(answer), "\(answer.text)")
        #expect(try await Truth(of: world) == before)
        await world.shutdown()
    }

    @Test func whatAnonymousPeopleReadIsRead() async throws {
        let world = try await World.make()
        #expect(try await world.ask(Self.suspend(0xB), as: .mod).isData)
        let read = "{ feed(first: 5) { nodes { id } } user(by: {username: \"ben\"}) { id suspension { until } } }"
        let answer = try await world.ask(read, as: .nobody)
        #expect(answer.isData && answer["user", "suspension"] == .null, "\(answer.text)")
        await world.shutdown()
    }

    @Test func itEndsByItselfOrEarly() async throws {
        let world = try await World.make()
        #expect(try await world.ask(Self.suspend(0xB), as: .mod).isData)
        let lifted = try await world.ask(Self.unsuspend(0xB), as: .mod)
        #expect(lifted["unsuspendUser", "user", "suspension"] == .null, "\(lifted.text)")
        #expect(try await world.ask(Self.like, as: .ben).isData)
        // Once more changes nothing, and is no act.
        #expect(try await world.ask(Self.unsuspend(0xB), as: .mod).isData)
        #expect(try await world.ask(Self.suspend(0xB), as: .mod).isData)
        try await world.execute(script: "update suspensions set until = now()")
        #expect(try await world.ask(Self.like, as: .ben).isData)
        #expect(try await world.ask(RateTests.signIn("ben", Self.password), as: .nobody).isData)
        let log = try await world.texts(
            "select action || ' ' || reason || ' ' || right(author_id::text, 1) from moderation_log order by id")
        #expect(log == ["SUSPENDED SPAM b", "UNSUSPENDED SPAM b", "SUSPENDED SPAM b"])
        await world.shutdown()
    }

    @Test func suspendedAgainTheLaterDecisionHolds() async throws {
        let world = try await World.make()
        #expect(try await world.ask(Self.suspend(0xB, until: "2098-01-01T00:00:00Z"), as: .mod).isData)
        let later = try await world.ask(Self.suspend(0xB), as: .mod)
        #expect(later.string("suspendUser", "user", "suspension", "until") == "2099-01-01T00:00:00.000Z")
        #expect(Self.isRefused(try await world.ask(Self.like, as: .ben)))
        await world.shutdown()
    }

    @Test func anEndInThePastIsNone() async throws {
        let world = try await World.make()
        let answer = try await world.ask(Self.suspend(0xB, until: "2020-01-01T00:00:00Z"), as: .mod)
        #expect(answer.userErrors == ["IN_THE_PAST until"])
        await world.shutdown()
    }

    /// Nobody suspends themselves, a moderator no administrator and no moderator, an administrator all others.
    @Test func rolesDecide() async throws {
        let world = try await World.make()
        try await world.execute(script: "update users set role = 'ADMIN' where username = 'ana'")
        func answers(_ text: String, _ person: Person) async throws -> String {
            let answer = try await world.ask(text, as: person)
            return answer.code.map { "\($0) \(answer.reason ?? "")" } ?? answer.userErrors.first ?? "OK"
        }
        for operation in [{ Self.suspend($0) }, { Self.unsuspend($0) }] as [(UInt64) -> String] {
            #expect(try await answers(operation(0xA), .mod) == "FORBIDDEN ROLE")
            #expect(try await answers(operation(0xC), .mod) == "NOT_ALLOWED userId")
            #expect(try await answers(operation(0xA), .ana) == "NOT_ALLOWED userId")
            #expect(try await answers(operation(0xC), .ben) == "FORBIDDEN ROLE")
            #expect(try await answers(operation(0xB), .ben) == "FORBIDDEN ROLE")
            #expect(try await answers(operation(0xEE), .mod) == "NOT_FOUND ")
            #expect(try await answers(operation(0xD), .mod) == "OK")
        }
        #expect(try await world.number("select count(*) from suspensions") == 0)
        #expect(try await answers(Self.suspend(0xC), .ana) == "OK")
        // A moderator who is suspended decides nothing.
        #expect(try await answers(Self.suspend(0xB), .mod) == "FORBIDDEN SUSPENDED")
        let seen = "{ user(by: {username: \"mod\"}) { suspension { reason } } }"
        #expect(try await world.ask(seen, as: .ana).string("user", "suspension", "reason") == "SPAM")
        #expect(try await world.ask(seen, as: .ben)["user", "suspension"] == .null)
        await world.shutdown()
    }

    /// Whichever comes first, no session is left that lives.
    @Test func aSignInBesideItLeavesNoSession() async throws {
        let world = try await World.make(writers: 8)
        let answers = try await concurrently(24) { number in
            try await number == 12
                ? world.ask(Self.suspend(0xB), as: .mod)
                : world.ask(RateTests.signIn("ben", Self.password), as: .nobody)
        }
        #expect(answers[12].isData, "\(answers[12].text)")
        #expect(
            try await world.number(
                "select count(*) from sessions where user_id = \(worldUUID(0xB)) and revoked_at is null") == 0)
        #expect(try await world.deadlocks() == 0)
        await world.shutdown()
    }

    /// Suspending ends the sessions with their devices. A device that is still there does not ring either.
    @Test func itsDevicesDoNotRing() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into suspensions (user_id, until, reason)
                values ('\(worldUUID(0xA))', now() + interval '1 day', 'SPAM')
                """)
        #expect(try await world.ask(Self.like.replacing("0g1", with: "0g3"), as: .ben).isData)
        try await world.writeNotifications()
        let numbers = try await PushQueue(world.environment, hold: .zero) { _ in .sent }.dealWithDue()
        #expect(numbers.due == 1 && numbers.taken == 0)
        await world.shutdown()
    }
}
