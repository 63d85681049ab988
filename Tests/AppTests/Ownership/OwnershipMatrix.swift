import GraphQL

@testable import App

/// What a person's try must come to.
enum Outcome: Equatable {
    case data
    case refused(String, reason: String? = nil)
    case userError(String)

    static let notFound = Outcome.refused("NOT_FOUND")
    static let forbidden = Outcome.refused("FORBIDDEN")
    static let signUpRequired = Outcome.refused("FORBIDDEN", reason: "SIGN_UP_REQUIRED")
}

/// One mutation on one object, tried by everyone. Signed out it is always UNAUTHENTICATED.
struct OwnershipCase: Sendable, CustomStringConvertible {
    let mutation: String
    let about: String
    /// The object's uuid: when it is deleted, what refers to it may go with it, whoever owns that.
    var target: UInt64?
    /// Whether it ends sessions of others, as it should.
    private(set) var endsSessions = false
    private(set) var document: String
    private(set) var variables = InputObject()
    let expected: [Person: Outcome]

    var description: String { "\(mutation), \(about)" }

    init(
        _ mutation: String, _ about: String, _ target: UInt64? = nil, endsSessions: Bool = false, input: String,
        ana: Outcome, ben: Outcome, mod: Outcome, zoe: Outcome
    ) {
        self.endsSessions = endsSessions
        self.mutation = mutation
        self.about = about
        self.target = target
        document = "mutation { \(mutation)(input: {\(input)}) { userErrors { code field } } }"
        expected = [
            .ana: ana, .ben: ben, .mod: mod, .zoe: zoe, .nobody: .refused("UNAUTHENTICATED"),
        ]
    }
}

extension OwnershipCase {
    /// A file by itself.
    init(_ mutation: String, upload file: [UInt8], members: Outcome, zoe: Outcome) {
        self.init(mutation, "a file", input: "", ana: members, ben: members, mod: members, zoe: zoe)
        document = "mutation ($file: Upload!) { \(mutation)(file: $file) { userErrors { code field } } }"
        variables.fields = [
            (name: "file", value: .upload(Upload(filename: "", contentType: nil, bytes: file)))
        ]
    }
}

enum OwnershipMatrix {
    /// What acts on no object that exists already, or on nothing but the token or password that it is given.
    static let exempt: Set<String> = [
        "signUp", "signIn", "signInAnonymously", "refreshSession", "confirmEmail", "requestPasswordReset",
        "resetPassword",
    ]

    /// Beyond the world: comments under ana's draft, from when it was published, and a report of ben's of ana's
    /// thought.
    static let script = """
        insert into comments (id, author_id, thought_id, text) values
          ('\(worldUUID(0x404))', '\(worldUUID(0xA))', '\(worldUUID(0x204))', 'Mine, hidden.'),
          ('\(worldUUID(0x405))', '\(worldUUID(0xB))', '\(worldUUID(0x204))', 'Ben''s, hidden.');
        insert into reports (id, reporter_id, subject_type, subject_id, reason) values
          ('\(worldUUID(0x601))', '\(worldUUID(0xB))', 'thought', '\(worldUUID(0x201))', 'SPAM');
        """

    static let cases: [OwnershipCase] =
        thoughts + thoughtMarks + comments + events + chat + notifications + devices
        + safety + moderation + accounts + sessions + images + overwrites

    private static let images = [
        OwnershipCase("uploadImage", upload: SamplePNG().bytes, members: .data, zoe: .signUpRequired),
        OwnershipCase(
            "deleteImage", "ana's, which nothing shows", 0x501, input: "id: \(image)",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .notFound),
    ]

    private static let published = "\"\(worldID(.thought, 0x201))\""
    private static let draft = "\"\(worldID(.thought, 0x204))\""
    private static let bens = "\"\(worldID(.thought, 0x202))\""
    private static let event = "\"\(worldID(.event, 0x301))\""
    private static let image = "\"\(worldID(.image, 0x501))\""
    private static let absent = "\"\(worldID(.thought, 0x2FF))\""

    private static let thoughts: [OwnershipCase] = [
        OwnershipCase(
            "createThought", "an id of ana's", input: "id: \(published), category: FUNNY, text: \"x\"",
            ana: .data, ben: .userError("TAKEN id"), mod: .userError("TAKEN id"), zoe: .signUpRequired),
        OwnershipCase(
            "createThought", "an id of ana's draft", input: "id: \(draft), category: FUNNY, text: \"x\"",
            ana: .data, ben: .userError("TAKEN id"), mod: .userError("TAKEN id"), zoe: .signUpRequired),
        OwnershipCase(
            "createThought", "an image of ana's", input: "category: FUNNY, text: \"x\", imageId: \(image)",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .signUpRequired),
        OwnershipCase(
            "updateThought", "ana's", input: "id: \(published), text: \"x\"",
            ana: .data, ben: .forbidden, mod: .forbidden, zoe: .forbidden),
        OwnershipCase(
            "updateThought", "ana's draft", input: "id: \(draft), text: \"x\"",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "updateThought", "ben's, with an image of ana's", input: "id: \(bens), imageId: \(image)",
            ana: .forbidden, ben: .notFound, mod: .forbidden, zoe: .forbidden),
        OwnershipCase(
            "updateThought", "none", input: "id: \(absent), text: \"x\"",
            ana: .notFound, ben: .notFound, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "deleteThought", "ana's", 0x201, input: "id: \(published)",
            ana: .data, ben: .forbidden, mod: .data, zoe: .forbidden),
        OwnershipCase(
            "deleteThought", "ana's draft", 0x204, input: "id: \(draft)",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "publishThought", "ana's", input: "id: \(published)",
            ana: .data, ben: .forbidden, mod: .forbidden, zoe: .forbidden),
        OwnershipCase(
            "publishThought", "ana's draft", input: "id: \(draft)",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "unpublishThought", "ana's draft", input: "id: \(draft)",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "unpublishThought", "ana's", input: "id: \(published)",
            ana: .data, ben: .forbidden, mod: .forbidden, zoe: .forbidden),
    ]

    private static let thoughtMarks: [OwnershipCase] = [
        "likeThought", "unlikeThought", "saveThought", "unsaveThought", "rateThought", "unrateThought", "shareThought",
    ].flatMap { mutation in
        let stars = mutation == "rateThought" ? ", stars: 3" : ""
        // A draft has no public link.
        let own: Outcome = mutation == "shareThought" ? .userError("NOT_ALLOWED thoughtId") : .data
        return [
            OwnershipCase(
                mutation, "ana's", input: "thoughtId: \(published)\(stars)",
                ana: .data, ben: .data, mod: .data, zoe: .data),
            OwnershipCase(
                mutation, "ana's draft", input: "thoughtId: \(draft)\(stars)",
                ana: own, ben: .notFound, mod: .notFound, zoe: .notFound),
            OwnershipCase(
                mutation, "none", input: "thoughtId: \(absent)\(stars)",
                ana: .notFound, ben: .notFound, mod: .notFound, zoe: .notFound),
        ]
    }

    private static let comments: [OwnershipCase] = [
        OwnershipCase(
            "addComment", "to ana's thought", input: "subjectId: \(published), text: \"x\"",
            ana: .data, ben: .data, mod: .data, zoe: .signUpRequired),
        OwnershipCase(
            "addComment", "to ana's draft", input: "subjectId: \(draft), text: \"x\"",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .signUpRequired),
        OwnershipCase(
            "addComment", "to ben's event", input: "subjectId: \(event), text: \"x\"",
            ana: .data, ben: .data, mod: .data, zoe: .signUpRequired),
        OwnershipCase(
            "addComment", "an id of ana's", input: "id: \(comment(0x402)), subjectId: \(event), text: \"x\"",
            ana: .data, ben: .userError("TAKEN id"), mod: .userError("TAKEN id"), zoe: .signUpRequired),
        OwnershipCase(
            "updateComment", "ana's", input: "id: \(comment(0x402)), text: \"x\"",
            ana: .data, ben: .forbidden, mod: .forbidden, zoe: .forbidden),
        OwnershipCase(
            "updateComment", "ben's, under ana's draft", input: "id: \(comment(0x405)), text: \"x\"",
            ana: .forbidden, ben: .notFound, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "deleteComment", "ana's", 0x402, input: "id: \(comment(0x402))",
            ana: .data, ben: .forbidden, mod: .data, zoe: .forbidden),
        OwnershipCase(
            "deleteComment", "ana's, on ben's event", 0x403, input: "id: \(comment(0x403))",
            ana: .data, ben: .forbidden, mod: .data, zoe: .forbidden),
        OwnershipCase(
            "deleteComment", "ben's, under ana's draft", 0x405, input: "id: \(comment(0x405))",
            ana: .forbidden, ben: .notFound, mod: .notFound, zoe: .notFound),
    ]

    private static func comment(_ low: UInt64) -> String { "\"\(worldID(.comment, low))\"" }

    private static let times = "startsAt: \"2099-01-01T10:00:00Z\", endsAt: \"2099-01-01T11:00:00Z\""

    private static let events: [OwnershipCase] = [
        OwnershipCase(
            "createEvent", "an id of ben's", input: "id: \(event), name: \"x\", description: \"x\", \(times)",
            ana: .userError("TAKEN id"), ben: .data, mod: .userError("TAKEN id"), zoe: .signUpRequired),
        OwnershipCase(
            "createEvent", "an image of ana's", input: "name: \"x\", description: \"x\", imageId: \(image), \(times)",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .signUpRequired),
        OwnershipCase(
            "updateEvent", "ben's", input: "id: \(event), name: \"x\"",
            ana: .forbidden, ben: .data, mod: .forbidden, zoe: .forbidden),
        OwnershipCase(
            "updateEvent", "ben's, with an image of ana's", input: "id: \(event), imageId: \(image)",
            ana: .forbidden, ben: .notFound, mod: .forbidden, zoe: .forbidden),
        OwnershipCase(
            "cancelEvent", "ben's", input: "id: \(event)",
            ana: .forbidden, ben: .data, mod: .forbidden, zoe: .forbidden),
        OwnershipCase(
            "deleteEvent", "ben's", 0x301, input: "id: \(event)",
            ana: .forbidden, ben: .data, mod: .data, zoe: .forbidden),
        OwnershipCase(
            "rsvp", "to ben's", input: "eventId: \(event), status: GOING",
            ana: .data, ben: .data, mod: .data, zoe: .data),
        OwnershipCase(
            "cancelRsvp", "to ben's", input: "eventId: \(event)", ana: .data, ben: .data, mod: .data, zoe: .data),
    ]

    /// What is another's is passed over: whether it exists cannot be told.
    private static let notifications: [OwnershipCase] = [
        OwnershipCase(
            "markNotificationsRead", "ana's", input: "ids: [\"\(worldID(.notification, 0x801))\"]",
            ana: .data, ben: .data, mod: .data, zoe: .data),
        OwnershipCase(
            "markAllNotificationsRead", "one's own", input: "", ana: .data, ben: .data, mod: .data, zoe: .data),
    ]

    private static let devices: [OwnershipCase] = [
        OwnershipCase(
            "registerPushDevice", "a new one",
            input: "target: {apns: {deviceToken: \"\(String(repeating: "0f", count: 32))\", topic: \"app\"}}",
            ana: .data, ben: .data, mod: .data, zoe: .data),
        OwnershipCase(
            "unregisterPushDevice", "ana's", 0x901, input: "id: \"\(worldID(.device, 0x901))\"",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .notFound),
    ]

    private static let password = "password: \"correct horse battery\""

    private static let accounts: [OwnershipCase] = [
        OwnershipCase(
            "updateProfile", "one's own", input: "bio: \"x\"",
            ana: .data, ben: .data, mod: .data, zoe: .signUpRequired),
        OwnershipCase(
            "updateProfile", "with an image of ana's", input: "avatarId: \(image)",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .signUpRequired),
        OwnershipCase(
            "updateProfile", "with ana's name", input: "username: \"ana\"",
            ana: .data, ben: .userError("TAKEN username"), mod: .userError("TAKEN username"), zoe: .signUpRequired),
        OwnershipCase(
            "changePassword", "one's own",
            input: "currentPassword: \"correct horse battery\", newPassword: \"a long quiet evening\"",
            ana: .data, ben: .data, mod: .data, zoe: .signUpRequired),
        OwnershipCase(
            "changeEmail", "to ana's", input: "\(password), newEmail: \"ana@example.org\"",
            ana: .data, ben: .userError("TAKEN newEmail"), mod: .userError("TAKEN newEmail"), zoe: .signUpRequired),
        OwnershipCase(
            "changeEmail", "to nobody's", input: "\(password), newEmail: \"new@example.org\"",
            ana: .data, ben: .data, mod: .data, zoe: .signUpRequired),
        OwnershipCase(
            "requestEmailConfirmation", "one's own", input: "",
            ana: .data, ben: .data, mod: .data, zoe: .signUpRequired),
        OwnershipCase("deleteAccount", "one's own", input: password, ana: .data, ben: .data, mod: .data, zoe: .data),
        OwnershipCase(
            "revokeSession", "ana's", input: "sessionId: \"\(worldID(.session, 0x10A))\"",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "revokeOtherSessions", "one's own", input: "", ana: .data, ben: .data, mod: .data, zoe: .data),
    ]

    private static let safety: [OwnershipCase] = [
        OwnershipCase(
            "blockUser", "ana", input: "userId: \(ana)",
            ana: .userError("NOT_ALLOWED userId"), ben: .data, mod: .data, zoe: .data),
        OwnershipCase(
            "unblockUser", "ana, whom nobody blocked", input: "userId: \(ana)",
            ana: .data, ben: .data, mod: .data, zoe: .data),
        OwnershipCase(
            "reportContent", "ana's", input: "subjectId: \(published), reason: SPAM",
            ana: .userError("NOT_ALLOWED subjectId"), ben: .data, mod: .data, zoe: .data),
        OwnershipCase(
            "reportContent", "ana's draft", input: "subjectId: \(draft), reason: SPAM",
            ana: .userError("NOT_ALLOWED subjectId"), ben: .notFound, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "reportContent", "ben's comment under ana's draft", input: "subjectId: \(comment(0x405)), reason: SPAM",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "resolveReport", "ben's, without removal", input: "id: \(report), removeContent: false",
            ana: .notFound, ben: .forbidden, mod: .data, zoe: .notFound),
        OwnershipCase(
            "resolveReport", "ben's of ana's thought, with removal", 0x201, input: "id: \(report), removeContent: true",
            ana: .notFound, ben: .forbidden, mod: .data, zoe: .notFound),
    ]

    private static let moderation: [OwnershipCase] = [
        OwnershipCase(
            "suspendUser", "ana", endsSessions: true,
            input: "userId: \(ana), until: \"2099-01-01T00:00:00Z\", reason: SPAM",
            ana: .refused("FORBIDDEN", reason: "ROLE"), ben: .refused("FORBIDDEN", reason: "ROLE"), mod: .data,
            zoe: .refused("FORBIDDEN", reason: "ROLE")),
        OwnershipCase(
            "unsuspendUser", "ana", input: "userId: \(ana)",
            ana: .refused("FORBIDDEN", reason: "ROLE"), ben: .refused("FORBIDDEN", reason: "ROLE"), mod: .data,
            zoe: .refused("FORBIDDEN", reason: "ROLE")),
    ]

    private static let ana = "\"\(worldID(.user, 0xA))\""
    private static let report = "\"\(worldID(.report, 0x601))\""

    private static let sessions: [OwnershipCase] = [
        OwnershipCase("signOut", "the current session", input: "", ana: .data, ben: .data, mod: .data, zoe: .data)
    ]
}
