import GraphQL
import Testing

@testable import App

/// A mutation that is sent several times with one clientMutationId, and another input that must not pass for it.
struct RepeatedMutation: Sendable, CustomStringConvertible {
    let name: String
    let person: Person
    let input: String
    /// nil where there is no other: passwords do not count, nor does nothing.
    let otherInput: String?
    /// What a superuser does first.
    var script: String?
    /// The variable `file`, and another one.
    var files: (first: [UInt8], other: [UInt8])?

    var description: String { name }

    init(
        _ name: String, as person: Person = .ana, _ input: String, not otherInput: String?, after script: String? = nil
    ) {
        self.name = name
        self.person = person
        self.input = input
        self.otherInput = otherInput
        self.script = script
    }

    /// Of a file alone.
    init(_ name: String, file: [UInt8], not otherFile: [UInt8]) {
        self.init(name, "", not: "")
        files = (file, otherFile)
    }

    /// Asks for everything that the payload has, of objects their ids.
    func document(_ input: String, _ schema: Schema) throws -> String {
        let mutations = try #require(schema.rootType(for: .mutation))
        let payload = schema[try #require(schema[mutations].field(named: name)).namedType]
        let selection = payload.fields.map { field in
            let type = schema[field.namedType]
            if field.name == "userErrors" { return "userErrors { code field }" }
            return type.isLeaf ? field.name : "\(field.name) { ... on Node { id } }"
        }
        let arguments = files == nil ? "input: { \(input)\(Self.again) }" : "file: $file\(Self.again)"
        let variables = files == nil ? "" : "($file: Upload!)"
        return "mutation \(variables) { \(name)(\(arguments)) { \(selection.joined(separator: " ")) } }"
    }

    static let again = ", clientMutationId: \"again\""

    /// Where tokens come back, or there is no session when it is sent again, it is only echoed.
    static let onlyEchoed: Set<String> = ["signUp", "signIn", "signInAnonymously", "refreshSession", "signOut"]

    /// The mutations whose durable commit may be shared: never those of sessions, credentials, blocks, deletions and
    /// images.
    static let thatShareCommits: Set<String> = [
        "addComment", "updateComment", "createThought", "updateThought", "likeThought", "unlikeThought", "saveThought",
        "unsaveThought", "rateThought", "unrateThought", "rsvp", "cancelRsvp", "sendMessage", "updateMessage",
    ]

    static let all: [RepeatedMutation] =
        thoughts + comments + events + chat + notifications + accounts + safety + [
            RepeatedMutation("uploadImage", file: picture(1), not: picture(2)),
            RepeatedMutation("deleteImage", id(.image, 0x501), not: id(.image, 0x502)),
        ]

    private static func id(_ kind: TypeID.Kind, _ low: UInt64) -> String { "id: \"\(worldID(kind, low))\"" }
    private static func thought(_ low: UInt64) -> String { "thoughtId: \"\(worldID(.thought, low))\"" }
    private static func event(_ low: UInt64) -> String { "eventId: \"\(worldID(.event, low))\"" }
    private static func conversation(_ low: UInt64) -> String { "conversationId: \"\(worldID(.conversation, low))\"" }
    private static func ids(_ kind: TypeID.Kind, _ low: UInt64) -> String { "[\"\(worldID(kind, low))\"]" }

    private static let thoughts = [
        RepeatedMutation(
            "createThought", "category: FUNNY, text: \"Once.\"", not: "category: CRAZY, text: \"Once.\""),
        RepeatedMutation(
            "updateThought", "\(id(.thought, 0x201)), text: \"x\"", not: "\(id(.thought, 0x201)), text: \"y\""),
        RepeatedMutation("deleteThought", id(.thought, 0x201), not: id(.thought, 0x203)),
        RepeatedMutation("publishThought", id(.thought, 0x204), not: id(.thought, 0x201)),
        RepeatedMutation("unpublishThought", id(.thought, 0x201), not: id(.thought, 0x203)),
        RepeatedMutation("likeThought", thought(0x202), not: thought(0x201)),
        RepeatedMutation("unlikeThought", as: .ben, thought(0x201), not: thought(0x203)),
        RepeatedMutation("rateThought", "\(thought(0x202)), stars: 4", not: "\(thought(0x202)), stars: 5"),
        RepeatedMutation(
            "unrateThought", thought(0x202), not: thought(0x201),
            after: "insert into thought_ratings values ('\(worldUUID(0x202))', '\(worldUUID(0xA))', 3)"),
        RepeatedMutation("saveThought", thought(0x202), not: thought(0x201)),
        RepeatedMutation(
            "unsaveThought", thought(0x202), not: thought(0x201),
            after: "insert into thought_saves values ('\(worldUUID(0x202))', '\(worldUUID(0xA))')"),
        RepeatedMutation("shareThought", thought(0x202), not: thought(0x201)),
    ]

    private static let comments = [
        RepeatedMutation(
            "addComment", "subjectId: \"\(worldID(.event, 0x301))\", text: \"x\"",
            not: "subjectId: \"\(worldID(.event, 0x302))\", text: \"x\""),
        RepeatedMutation(
            "updateComment", "\(id(.comment, 0x402)), text: \"x\"", not: "\(id(.comment, 0x402)), text: \"y\""),
        RepeatedMutation("deleteComment", id(.comment, 0x402), not: id(.comment, 0x403)),
    ]

    private static let events = [
        RepeatedMutation(
            "createEvent",
            "name: \"x\", description: \"x\", startsAt: \"2099-01-01T00:00:00Z\", endsAt: \"2099-01-02T00:00:00Z\"",
            not: "name: \"x\", description: \"x\", startsAt: \"2099-01-01T00:00:01Z\", endsAt: \"2099-01-02T00:00:00Z\""
        ),
        RepeatedMutation(
            "updateEvent", "\(id(.event, 0x302)), location: \"x\"", not: "\(id(.event, 0x302)), location: null"),
        RepeatedMutation("cancelEvent", as: .ben, id(.event, 0x301), not: id(.event, 0x302)),
        RepeatedMutation("deleteEvent", id(.event, 0x302), not: id(.event, 0x301)),
        RepeatedMutation(
            "rsvp", as: .ben, "\(event(0x301)), status: GOING", not: "\(event(0x301)), status: INTERESTED"),
        RepeatedMutation("cancelRsvp", event(0x301), not: event(0x302)),
    ]

    private static let chat = [
        RepeatedMutation(
            "startConversation", as: .ben, "participantIds: \(ids(.user, 0xC))",
            not: "participantIds: \(ids(.user, 0xD))"),
        RepeatedMutation(
            "sendMessage", "\(conversation(0x601)), text: \"x\"", not: "\(conversation(0x603)), text: \"x\""),
        RepeatedMutation(
            "updateMessage", "\(id(.message, 0x701)), text: \"x\"", not: "\(id(.message, 0x701)), text: \"y\""),
        RepeatedMutation("deleteMessage", id(.message, 0x701), not: id(.message, 0x703)),
        RepeatedMutation(
            "markConversationRead", as: .ben, "\(conversation(0x601)), messageId: \"\(worldID(.message, 0x701))\"",
            not: "\(conversation(0x601)), messageId: \"\(worldID(.message, 0x702))\""),
        RepeatedMutation("leaveConversation", conversation(0x602), not: conversation(0x601)),
    ]

    private static let notifications = [
        RepeatedMutation(
            "markNotificationsRead", "ids: \(ids(.notification, 0x801))", not: "ids: \(ids(.notification, 0x802))"),
        RepeatedMutation(
            "markAllNotificationsRead", "before: null", not: "before: \"2026-01-01T00:00:00Z\""),
        RepeatedMutation(
            "registerPushDevice",
            "target: { apns: { deviceToken: \"\(String(repeating: "cd", count: 32))\", topic: \"a.b\" } }",
            not: "target: { apns: { deviceToken: \"\(String(repeating: "ef", count: 32))\", topic: \"a.b\" } }"),
        RepeatedMutation("unregisterPushDevice", id(.device, 0x901), not: id(.device, 0x902)),
    ]

    private static let password = "correct horse battery"
    /// 32 zero bytes, and what is stored of them.
    private static let token = String(repeating: "A", count: 43)
    private static func token(_ purpose: String) -> String {
        """
        insert into one_time_tokens (hash, user_id, purpose, email, expires_at) values (
          sha256(decode(repeat('00', 32), 'hex')), '\(worldUUID(0xB))', '\(purpose)', 'ben@example.org', '2099-01-01')
        """
    }
    private static let otherSession = """
        insert into sessions (id, user_id, family, current_hash)
        values ('\(worldUUID(0x1FA))', '\(worldUUID(0xA))', 'family', 'hash')
        """

    private static let report = worldID(.thought, 0xE01).replacing("thought_", with: "report_")
    private static let safety = [
        RepeatedMutation(
            "blockUser", "userId: \"\(worldID(.user, 0xB))\"", not: "userId: \"\(worldID(.user, 0xC))\""),
        RepeatedMutation(
            "unblockUser", "userId: \"\(worldID(.user, 0xB))\"", not: "userId: \"\(worldID(.user, 0xC))\"",
            after: "insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(0xA))', '\(worldUUID(0xB))')"),
        RepeatedMutation(
            "reportContent", as: .ben, "subjectId: \"\(worldID(.thought, 0x201))\", reason: SPAM",
            not: "subjectId: \"\(worldID(.thought, 0x201))\", reason: OTHER"),
        RepeatedMutation(
            "suspendUser", as: .mod,
            "userId: \"\(worldID(.user, 0xB))\", until: \"2099-01-01T00:00:00Z\", reason: SPAM",
            not: "userId: \"\(worldID(.user, 0xB))\", until: \"2098-01-01T00:00:00Z\", reason: SPAM"),
        RepeatedMutation(
            "unsuspendUser", as: .mod, "userId: \"\(worldID(.user, 0xB))\"", not: "userId: \"\(worldID(.user, 0xA))\"",
            after: """
                insert into suspensions (user_id, until, reason) values ('\(worldUUID(0xB))', '2099-01-01Z', 'SPAM')
                """),
        RepeatedMutation(
            "resolveReport", as: .mod, "id: \"\(report)\", removeContent: true",
            not: "id: \"\(report)\", removeContent: false",
            after: """
                insert into reports (id, reporter_id, subject_type, subject_id, reason)
                values ('\(worldUUID(0xE01))', '\(worldUUID(0xB))', 'thought', '\(worldUUID(0x201))', 'SPAM')
                """),
    ]

    private static let accounts = [
        RepeatedMutation("updateProfile", "bio: \"x\"", not: "bio: null"),
        RepeatedMutation(
            "changePassword", "currentPassword: \"\(password)\", newPassword: \"a quiet evening walk\"", not: nil),
        RepeatedMutation(
            "changeEmail", "password: \"\(password)\", newEmail: \"new@example.org\"",
            not: "password: \"\(password)\", newEmail: \"newer@example.org\""),
        RepeatedMutation(
            "confirmEmail", as: .ben, "token: \"\(token)\"", not: "token: \"\(token.dropLast())E\"",
            after: token("CONFIRM_EMAIL")),
        RepeatedMutation("requestEmailConfirmation", as: .ben, "", not: nil),
        RepeatedMutation(
            "requestPasswordReset", "email: \"ben@example.org\"", not: "email: \"nobody@example.org\""),
        RepeatedMutation(
            "resetPassword", as: .ben, "token: \"\(token)\", newPassword: \"a quiet evening walk\"",
            not: "token: \"\(token.dropLast())E\", newPassword: \"a quiet evening walk\"",
            after: token("RESET_PASSWORD")),
        RepeatedMutation(
            "revokeSession", "sessionId: \"\(worldID(.session, 0x1FA))\"",
            not: "sessionId: \"\(worldID(.session, 0x10A))\"", after: otherSession),
        RepeatedMutation("deleteAccount", "password: \"\(password)\"", not: nil),
        RepeatedMutation("revokeOtherSessions", "", not: nil, after: otherSession),
    ]
}
