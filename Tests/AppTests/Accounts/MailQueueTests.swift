import Mail
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import App

/// What is queued is sent: once, after the request, and again where it could not be.
@Suite struct MailQueueTests {
    private static let queued: SQL = "select count(*) from mails"
    private static let signUp = """
        mutation { signUp(input: {username: "eve", email: "eve@example.org", password: "a long way to go"}) \
        { accessToken userErrors { code } } }
        """

    private static let changePassword = """
        mutation { changePassword(input: {currentPassword: "correct horse battery", newPassword: "a long quiet evening"}) \
        { userErrors { code } } }
        """

    private static func reset(_ email: String) -> String {
        "mutation { requestPasswordReset(input: {email: \"\(email)\"}) { userErrors { code } } }"
    }

    private func queue(_ world: World, _ outbox: Outbox) throws -> MailQueue {
        MailQueue(world.environment, transport: outbox, from: try #require(Mailbox(address: "app@example.org")))
    }

    /// Sends until nothing is due.
    private func drain(_ world: World, _ outbox: Outbox) async throws {
        try await eventually("no mail is due") { try await !queue(world, outbox).sendNext() }
    }

    private func token(_ message: MailMessage, page: String) throws -> String {
        let link = try #require(message.text.firstMatch(of: /http:\/\/localhost:8080\/([a-z-]+)#([A-Za-z0-9_-]{43})/))
        #expect(link.output.1 == page)
        #expect(message.html.contains("<a href=\"\(link.output.0)\">"))
        return String(link.output.2)
    }

    @Test func aNewAddressIsConfirmedByItsLink() async throws {
        let world = try await World.make(writers: 8)
        let outbox = Outbox()
        #expect(try await world.ask(Self.signUp, as: .nobody).isData)
        // As replicas do.
        let sent = try await concurrently(4) { _ in try await queue(world, outbox).sendNext() }
        #expect(sent.count { $0 } == 1)
        #expect(try await world.number(Self.queued) == 0)
        let message = try #require(outbox.messages.first)
        #expect(outbox.messages.count == 1)
        #expect(message.to.address == "eve@example.org")
        #expect(message.text.hasPrefix("Hello eve,\n"))
        let confirmation = """
            mutation { confirmEmail(input: {token: "\(try token(message, page: "confirm-email"))"}) \
            { userErrors { code } } }
            """
        // Twice at once, it works once.
        let answers = try await concurrently(6) { _ in try await world.ask(confirmation, as: .nobody) }
        #expect(answers.count { $0.isData } == 1)
        #expect(answers.codes == ["OK", "EXPIRED"])
        #expect(
            try await world.number(
                "select count(*) from credentials where email_verified_at is not null and email = 'eve@example.org'")
                == 1)
        await world.shutdown()
    }

    @Test func aResetsLinkWorksOnceAndEndsEverySession() async throws {
        let world = try await World.make(writers: 8)
        let outbox = Outbox()
        #expect(try await world.ask(Self.reset("ana@example.org"), as: .nobody).isData)
        #expect(try await queue(world, outbox).sendNext())
        let token = try token(try #require(outbox.messages.first), page: "reset-password")
        let answers = try await concurrently(6) { number in
            let password = "a long quiet evening \(number)"
            return try await world.ask(
                "mutation { resetPassword(input: {token: \"\(token)\", newPassword: \"\(password)\"}) { userErrors { code } } }",
                as: .nobody)
        }
        #expect(answers.count { $0.isData } == 1)
        #expect(answers.codes == ["OK", "EXPIRED"])
        let winner = try #require(answers.firstIndex { $0.isData })
        let signIn = try await world.ask(
            """
            mutation { signIn(input: {login: "ana", password: "a long quiet evening \(winner)"}) \
            { accessToken userErrors { code } } }
            """, as: .nobody)
        #expect(signIn.isData)
        let ended: SQL = "select count(*) from sessions where user_id = \(worldUUID(0xA)) and revoked_at is not null"
        #expect(try await world.number(ended) == 1)
        #expect(try await queue(world, outbox).sendNext())
        #expect(outbox.messages.last?.subject == "Your password was changed")
        await world.shutdown()
    }

    /// A mail that is on its way while the password changes: with the change first it is not sent, otherwise its link is
    /// void. The first of the two that waits for the locked credentials is the first to go on.
    @Test(arguments: ["CONFIRM_EMAIL", "RESET_PASSWORD"], [true, false])
    func aNewPasswordEndsALinkOnItsWay(_ kind: String, _ changesFirst: Bool) async throws {
        let world = try await World.make(writers: 8)
        let outbox = Outbox()
        let account = kind == "CONFIRM_EMAIL" ? "'\(worldUUID(0xA))'" : "null"
        try await world.execute(
            script: """
                update credentials set email_verified_at = null where email = 'ana@example.org';
                insert into mails (id, kind, recipient, user_id, due_at)
                values ('\(worldUUID(1))', '\(kind)', 'ana@example.org', \(account), now() - interval '1 minute')
                """)
        let holding = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await holding.execute(
            script: "begin; select from credentials where email = 'ana@example.org' for update")
        let change = Self.changePassword
        var tasks: [Task<Bool, any Error>] = []
        let steps: [@Sendable () async throws -> Bool] = [
            { try await world.ask(change, as: .ana).isData }, { try await queue(world, outbox).sendNext() },
        ]
        for step in changesFirst ? steps : steps.reversed() {
            tasks.append(Task { try await step() })
            try await world.untilWaiting(tasks.count)
        }
        try await holding.execute(script: "rollback")
        for task in tasks { #expect(try await task.value) }
        #expect(outbox.messages.count == (changesFirst ? 0 : 1))
        #expect(try await world.number("select count(*) from one_time_tokens") == 0)
        try await drain(world, outbox)
        #expect(outbox.messages.last?.subject == "Your password was changed")
        #expect(try await world.number(Self.queued) == 0)
        await holding.close()
        await world.shutdown()
    }

    @Test func nobodyIsWrittenToWhoHasNoAccount() async throws {
        let world = try await World.make()
        let outbox = Outbox()
        #expect(try await world.ask(Self.reset("nobody@example.org"), as: .nobody).isData)
        #expect(try await queue(world, outbox).sendNext())
        #expect(try await queue(world, outbox).sendNext() == false)
        #expect(outbox.messages.isEmpty)
        #expect(try await world.number("select count(*) from one_time_tokens") == 0)
        await world.shutdown()
    }

    /// Each try has a token of its own.
    @Test func triesAgainLaterAndLater() async throws {
        let world = try await World.make()
        let outbox = Outbox(.temporary("451"))
        func microseconds(_ time: StaticString, _ table: StaticString) async throws -> Int {
            try await world.number("select (extract(epoch from \(unsafe: time)) * 1000000)::bigint \(unsafe: table)")
        }
        #expect(try await world.ask(Self.reset("ana@example.org"), as: .nobody).isData)
        for seconds in [30, 60, 120, 240] {
            let before = try await microseconds("clock_timestamp()", "")
            #expect(try await queue(world, outbox).sendNext())
            let after = try await microseconds("clock_timestamp()", "")
            let due = try await microseconds("due_at", "from mails")
            #expect((before...after).contains(due - 1_000_000 * seconds))
            try await world.execute(script: "update mails set due_at = due_at + interval '1 hour'")
            #expect(try await queue(world, outbox).sendNext() == false)
            try await world.execute(script: "update mails set due_at = now()")
        }
        #expect(Set(try outbox.messages.map { try token($0, page: "reset-password") }).count == 4)
        for _ in 4..<12 {
            #expect(try await queue(world, outbox).sendNext())
            try await world.execute(script: "update mails set due_at = now()")
        }
        #expect(try await world.number(Self.queued) == 0)
        await world.shutdown()
    }

    @Test func whatIsRefusedForGoodIsGivenUp() async throws {
        let world = try await World.make()
        let outbox = Outbox(.permanent("550"))
        #expect(try await world.ask(Self.reset("ana@example.org"), as: .nobody).isData)
        #expect(try await queue(world, outbox).sendNext())
        #expect(outbox.messages.count == 1)
        #expect(try await world.number(Self.queued) == 0)
        await world.shutdown()
    }

    /// While replicas are replaced, a newer one may queue what this one does not know.
    @Test func aMailOfAnUnknownKindStaysInTheQueueForANewerServer() async throws {
        let world = try await World.make()
        let outbox = Outbox()
        try await world.execute(
            script: """
                alter table mails drop constraint mails_kind_check;
                insert into mails (id, kind, recipient, due_at)
                values (gen_random_uuid(), 'OF_TOMORROW', 'ana@example.org', now() - interval '1 hour')
                """)
        #expect(try await world.ask(Self.reset("ana@example.org"), as: .nobody).isData)
        #expect(try await queue(world, outbox).sendNext())
        #expect(try await queue(world, outbox).sendNext() == false)
        #expect(outbox.messages.map(\.subject) == ["Reset your password"])
        #expect(try await world.number("select count(*) from mails where kind = 'OF_TOMORROW' and tries = 0") == 1)
        await world.shutdown()
    }

    /// Each asks from an address of their own.
    @Test func othersRequestsDoNotSilenceTheOwners() async throws {
        let world = try await World.make()
        let outbox = Outbox()
        func ask(_ address: String) async throws -> String? {
            let context = RequestContext(environment: world.environment, viewer: nil, address: address)
            return try await world.ask(Self.reset("ana@example.org"), context).code
        }
        for _ in 0..<5 { #expect(try await ask("192.0.2.66") == nil) }
        #expect(try await ask("192.0.2.66") == "RATE_LIMITED")
        try await drain(world, outbox)
        #expect(outbox.messages.count == 5)
        #expect(try await ask("198.51.100.1") == nil)
        #expect(try await queue(world, outbox).sendNext())
        #expect(outbox.messages.count == 6)
        await world.shutdown()
    }

    /// A school has one address, and more than five people who forget a password in an hour.
    @Test func anAddressAsksForManyRecipients() async throws {
        let world = try await World.make { $0.addressMails.quota = 10 }
        let context = RequestContext(environment: world.environment, viewer: nil, address: "192.0.2.7")
        for number in 1...10 {
            #expect(try await world.ask(Self.reset("pupil\(number)@example.org"), context).isData)
        }
        #expect(try await world.ask(Self.reset("pupil11@example.org"), context).code == "RATE_LIMITED")
        await world.shutdown()
    }

    /// Whoever asks, and from wherever: 20 links of a kind.
    @Test func oneRecipientGetsTwentyLinksAnHour() async throws {
        let world = try await World.make { $0.recipientMails.window = RateTests.longWindow }
        let outbox = Outbox()
        for number in 0..<24 {
            let address = "192.0.2.\(number)"
            let context = RequestContext(environment: world.environment, viewer: nil, address: address)
            #expect(try await world.ask(Self.reset("ana@example.org"), context).isData)
            #expect(try await world.ask(Self.reset("eve@example.org"), context).isData)
        }
        try await drain(world, outbox)
        #expect(outbox.messages.count == 20)
        // Resets that others ask for do not keep a new account from its confirmation.
        #expect(try await world.ask(Self.signUp, as: .nobody).isData)
        try await drain(world, outbox)
        #expect(outbox.messages.count == 21)
        await world.shutdown()
    }
}

/// Keeps what is sent, or refuses it.
final class Outbox: MailTransport {
    private let error: MailError?
    private let sent = Mutex<[MailMessage]>([])

    init(_ error: MailError? = nil) { self.error = error }

    var messages: [MailMessage] { sent.withLock { $0 } }

    func send(_ message: MailMessage) async throws(MailError) {
        sent.withLock { $0.append(message) }
        if let error { throw error }
    }
}
