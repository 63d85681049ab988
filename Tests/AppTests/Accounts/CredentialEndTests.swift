import Auth
import Foundation
import GraphQL
import Mail
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import App

/// The table of docs/accounts.md. An account that has one of each credential meets an event, and each credential is then
/// tried as its holder would use it.
@Suite struct CredentialEndTests {
    enum Event: String, CaseIterable {
        case resetPassword, changePassword, changeEmail, confirmEmail, signOut, revokeSession, revokeOtherSessions
        case reuse = "old token"
        case suspendUser, deleteAccount
    }

    /// The names are those of the table's rows.
    enum Credential: String, CaseIterable {
        case password = "the password"
        case session = "this session"
        case otherSession = "the other session"
        case deviceTokens = "device tokens"
        case device = "a device of this session"
        case otherDevice = "a device of the other session"
        case deviceWithoutSession = "a device without a session"
        case newAddress = "a new address, not confirmed yet"
        case confirmation = "the link that confirms it"
        case queuedConfirmation = "a mail with this link, still queued"
        case reset = "a link to a new password"
        case queuedReset = "a mail with a link to a new password, still queued"
        case answer = "the answer kept for a clientMutationId"
    }

    @Test(arguments: Event.allCases) func endsWhatTheTableSays(_ event: Event) async throws {
        let table = try Self.table()
        var stays = try await CredentialTry.ofAll(after: event)
        stays[.reset] = try await CredentialTry.ofReset(after: event)
        for credential in Credential.allCases {
            #expect(stays[credential] == table[event]?[credential], "\(credential.rawValue), after \(event.rawValue)")
        }
    }

    @Test func theTableHasEveryEventAndCredential() throws {
        let table = try Self.table()
        #expect(table.count == Event.allCases.count)
        #expect(table.values.allSatisfy { $0.count == Credential.allCases.count })
    }

    /// Whether a credential stays.
    private static func table() throws -> [Event: [Credential: Bool]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/accounts.md")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("|") }
            .map { $0.replacing("`", with: "").split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let events = try #require(rows.first).dropFirst().map { Event(rawValue: $0) }
        var table: [Event: [Credential: Bool]] = [:]
        for row in rows.dropFirst(2) {
            let credential = try #require(Credential(rawValue: row[0]), "\(row[0])")
            for (event, cell) in zip(events, row.dropFirst()) {
                try #require(["ends", "stays"].contains(cell))
                table[try #require(event), default: [:]][credential] = cell == "stays"
            }
        }
        return table
    }
}

/// An account that has two sessions, a device of each, pending links and queued mails, and the tries of these.
private struct CredentialTry {
    typealias Event = CredentialEndTests.Event
    typealias Credential = CredentialEndTests.Credential

    struct Session {
        var refreshToken: String
        let accessToken: String
        let deviceToken: String
        let context: RequestContext
    }

    private static let password = "correct horse battery"
    private static let newPassword = "a long quiet evening"
    private static let address = "ana@example.org"
    private static let newAddress = "new@example.org"

    private let world: World
    private let outbox = Outbox()
    private var current: Session
    private var other: Session
    /// Several tokens of each kind: an event may use the first.
    private var confirmations: [String] = []
    private var resets: [String] = []

    /// What stays of each credential but the link to a new password, whose use ends others.
    static func ofAll(after event: Event) async throws -> [Credential: Bool] {
        var account = try await CredentialTry(await World.make(writers: 8) { $0.mails.quota = 0 })
        try await account.happen(event)
        let stays = try await account.tryAll(after: event)
        await account.world.shutdown()
        return stays
    }

    /// Whether the link to a new password stays.
    static func ofReset(after event: Event) async throws -> Bool {
        var account = try await CredentialTry(await World.make(writers: 8) { $0.mails.quota = 0 })
        try await account.happen(event)
        let reset = "resetPassword(input: {token: \"\(account.resets[1])\", newPassword: \"another long evening\"})"
        let stays = try await account.succeeds(reset, nil)
        await account.world.shutdown()
        return stays
    }

    private init(_ world: World) async throws {
        self.world = world
        current = try #require(try await Self.signIn(world, Self.password))
        other = try #require(try await Self.signIn(world, Self.password))
        try await world.execute(script: "delete from push_devices")
        for (device, session) in [("aa", current), ("bb", other), ("cc", current)] {
            let target = "{apns: {deviceToken: \"\(String(repeating: device, count: 32))\", topic: \"dev.tertulia\"}}"
            try await perform("registerPushDevice(input: {target: \(target)})", session.context)
        }
        try await world.execute(script: "update push_devices set session_id = null where address like 'cc%'")
        try await perform(Self.thought, current.context)
        let change = "changeEmail(input: {password: \"\(Self.password)\", newEmail: \"\(Self.newAddress)\"})"
        try await perform(change, current.context)
        for _ in 0..<2 {
            try await perform("requestEmailConfirmation(input: {})", current.context)
            try await perform(Self.requestReset, nil)
        }
        let links = try await sentLinks()
        confirmations = links.filter { $0.page == "confirm-email" && $0.recipient == Self.newAddress }.map(\.token)
        resets = links.filter { $0.page == "reset-password" && $0.recipient == Self.address }.map(\.token)
        try #require(confirmations.count == 3 && resets.count == 2)
        try await perform("requestEmailConfirmation(input: {})", current.context)
        try await perform(Self.requestReset, nil)
    }

    private static let requestReset = "requestPasswordReset(input: {email: \"\(address)\"})"
    private static let thought =
        "createThought(input: {category: FUNNY, text: \"Once.\", clientMutationId: \"before\"})"

    private mutating func happen(_ event: Event) async throws {
        switch event {
        case .resetPassword:
            try await perform(
                "resetPassword(input: {token: \"\(resets[0])\", newPassword: \"\(Self.newPassword)\"})", nil)
        case .changePassword:
            let input = "{currentPassword: \"\(Self.password)\", newPassword: \"\(Self.newPassword)\"}"
            try await perform("changePassword(input: \(input))", current.context)
        case .changeEmail:
            try await perform(
                "changeEmail(input: {password: \"\(Self.password)\", newEmail: \"newer@example.org\"})", current.context
            )
        case .confirmEmail: try await perform("confirmEmail(input: {token: \"\(confirmations[0])\"})", nil)
        case .signOut: try await perform("signOut", current.context)
        case .revokeSession:
            let id = try #require(other.context.sessionID)
            try await perform("revokeSession(input: {sessionId: \"\(id)\"})", current.context)
        case .revokeOtherSessions: try await perform("revokeOtherSessions(input: {})", current.context)
        case .reuse:
            let old = other.refreshToken
            for _ in 0..<3 { other.refreshToken = try #require(await refreshed(other)) }
            let answer = try await ask("refreshSession(input: {refreshToken: \"\(old)\"})", nil)
            #expect(answer.code == "UNAUTHENTICATED")
        case .suspendUser:
            let user = "userId: \"\(worldID(.user, 0xA))\""
            try await perform(
                "suspendUser(input: {\(user), until: \"2100-01-01T00:00:00Z\", reason: SPAM})",
                world.context(as: .mod))
            try await perform("unsuspendUser(input: {\(user)})", world.context(as: .mod))
        case .deleteAccount:
            try await perform("deleteAccount(input: {password: \"\(Self.password)\"})", current.context)
        }
    }

    private mutating func tryAll(after event: Event) async throws -> [Credential: Bool] {
        var stays: [Credential: Bool] = [:]
        let links = try await sentLinks()
        stays[.queuedConfirmation] = links.contains { $0.page == "confirm-email" && $0.recipient == Self.newAddress }
        stays[.queuedReset] = links.contains { $0.page == "reset-password" }
        stays[.session] = try await isAlive(&current)
        stays[.otherSession] = try await isAlive(&other)
        stays[.password] = try await Self.signIn(world, Self.password) != nil
        let password = [.resetPassword, .changePassword].contains(event) ? Self.newPassword : Self.password
        let session = try await Self.signIn(world, password)
        stays[.deviceTokens] = try await passesBackOff(current.deviceToken, password)
        let rung = try await rungDevices()
        stays[.device] = rung.contains("aa")
        stays[.otherDevice] = rung.contains("bb")
        stays[.deviceWithoutSession] = rung.contains("cc")
        stays[.newAddress] = try await isPending(in: session)
        stays[.answer] = try await isAnswerKept(in: session)
        stays[.confirmation] = try await succeeds("confirmEmail(input: {token: \"\(confirmations[1])\"})", nil)
        return stays
    }

    /// Whether the access token and the refresh token are accepted.
    private func isAlive(_ session: inout Session) async throws -> Bool {
        let context = try? await world.environment.authenticate(
            authorization: "Bearer \(session.accessToken)", userAgent: nil, address: nil)
        let next = try await refreshed(session)
        #expect((context != nil) == (next != nil))
        session.refreshToken = next ?? session.refreshToken
        return next != nil
    }

    /// Whether a device token gets in while strangers have to wait.
    private func passesBackOff(_ deviceToken: String, _ password: String) async throws -> Bool {
        try await world.execute(
            script: """
                insert into sign_in_attempts values (sha256('ana'), 14, now())
                on conflict (login_hash) do update set failures = 14, last_at = now()
                """)
        let passes = try await Self.signIn(world, password, deviceToken: deviceToken) != nil
        try await world.execute(script: "delete from sign_in_attempts")
        return passes
    }

    /// The first digits of the devices that ring when somebody likes a thought of the account. No other device is there.
    private func rungDevices() async throws -> Set<String> {
        let like = "likeThought(input: {thoughtId: \"\(worldID(.thought, 0x203))\"})"
        _ = try await ask(like, world.context(as: .ben))
        try await world.writeNotifications()
        let rung = Mutex<Set<String>>([])
        _ = try await PushQueue(world.environment, hold: .zero) { message in
            if case .apns(let token, _, _) = message.target { _ = rung.withLock { $0.insert(String(token.prefix(2))) } }
            return .sent
        }.dealWithDue()
        let devices = try await world.texts("select left(address, 2) from push_devices")
        #expect(rung.withLock { $0 } == Set(devices))
        return Set(devices)
    }

    /// Whether asking for a confirmation once more sends it to the new address.
    private func isPending(in session: Session?) async throws -> Bool {
        guard let session else { return false }
        try await perform("requestEmailConfirmation(input: {})", session.context)
        return try await sentLinks().contains { $0.recipient == Self.newAddress }
    }

    /// Whether a mutation of before the event, sent once more, has its first answer and writes nothing.
    private func isAnswerKept(in session: Session?) async throws -> Bool {
        guard let session else { return false }
        let count: SQL = "select count(*) from thoughts where text = 'Once.'"
        let before = try await world.number(count)
        try await perform(Self.thought, session.context)
        return try await world.number(count) == before
    }

    // MARK: Requests

    private static func signIn(_ world: World, _ password: String, deviceToken: String? = nil) async throws -> Session?
    {
        let device = deviceToken.map { ", deviceToken: \"\($0)\"" } ?? ""
        let answer = try await world.ask(
            """
            mutation { signIn(input: {login: "ana", password: "\(password)"\(device)}) \
            { accessToken refreshToken deviceToken userErrors { code } } }
            """, as: .nobody)
        guard let token = answer.string("signIn", "accessToken") else { return nil }
        return Session(
            refreshToken: try #require(answer.string("signIn", "refreshToken")), accessToken: token,
            deviceToken: try #require(answer.string("signIn", "deviceToken")),
            context: try await world.environment.authenticate(
                authorization: "Bearer \(token)", userAgent: "tests", address: nil))
    }

    private func refreshed(_ session: Session) async throws -> String? {
        let field = "refreshSession(input: {refreshToken: \"\(session.refreshToken)\"}) { refreshToken }"
        return try await world.ask("mutation { \(field) }", as: .nobody).string("refreshSession", "refreshToken")
    }

    private func ask(_ field: String, _ context: RequestContext?) async throws -> Answer {
        try await world.ask("mutation { \(field) { userErrors { code } } }", context ?? world.context(as: .nobody))
    }

    private func perform(_ field: String, _ context: RequestContext?) async throws {
        let answer = try await ask(field, context)
        try #require(answer.isData, "\(field): \(answer.text)")
    }

    private func succeeds(_ field: String, _ context: RequestContext?) async throws -> Bool {
        try await ask(field, context).isData
    }

    /// The links in the mails that are due, which are sent.
    private func sentLinks() async throws -> [(recipient: String, page: String, token: String)] {
        let sender = try #require(Mailbox(address: "app@example.org"))
        let queue = MailQueue(world.environment, transport: outbox, from: sender)
        let before = outbox.messages.count
        while try await queue.sendNext() {}
        return outbox.messages.dropFirst(before).compactMap { message in
            message.text.firstMatch(of: /http:\/\/localhost:8080\/([a-z-]+)#([A-Za-z0-9_-]{43})/).map {
                (message.to.address, String($0.output.1), String($0.output.2))
            }
        }
    }
}
