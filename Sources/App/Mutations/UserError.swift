import GraphQL

enum UserErrorCode: String, LeafValue, CaseIterable {
    case required = "REQUIRED"
    case tooShort = "TOO_SHORT"
    case tooLong = "TOO_LONG"
    case invalid = "INVALID"
    case taken = "TAKEN"
    case mismatch = "MISMATCH"
    case weakPassword = "WEAK_PASSWORD"
    case wrongCredentials = "WRONG_CREDENTIALS"
    case expired = "EXPIRED"
    case endsBeforeStart = "ENDS_BEFORE_START"
    case inThePast = "IN_THE_PAST"
    case unsupportedMedia = "UNSUPPORTED_MEDIA"
    case tooLarge = "TOO_LARGE"
    case quotaExceeded = "QUOTA_EXCEEDED"
    case notAllowed = "NOT_ALLOWED"
    case notFound = "NOT_FOUND"
    case tooMany = "TOO_MANY"
    case conflict = "CONFLICT"
}

/// An error in an input that a person can correct.
struct UserError: ObjectValue, Equatable {
    let code: UserErrorCode
    let message: String
    let field: [String]?

    /// - Parameter field: a field of the input; empty if no field is at fault.
    init(_ code: UserErrorCode, _ message: String, _ field: String) {
        self.code = code
        self.message = message
        self.field = field.isEmpty ? nil : ["input", field]
    }

    /// - Parameter argument: the mutation's argument that takes a file. It stands beside the argument `input`.
    init(_ code: UserErrorCode, _ message: String, argument: String) {
        self.code = code
        self.message = message
        field = [argument]
    }

    /// Creates the error from the detail of a refusal: a code and a field, such as `INVALID timeZone`.
    init?(stored: String) {
        let parts = stored.split(separator: " ").map(String.init)
        guard parts.count == 2, let code = UserErrorCode(rawValue: parts[0]) else { return nil }
        let message = Self.sentence(code, parts[1])
        // Only a file can exceed the quota, and a file is an argument.
        if code == .quotaExceeded {
            self.init(code, message, argument: parts[1])
        } else {
            self.init(code, message, parts[1])
        }
    }

    private static func sentence(_ code: UserErrorCode, _ field: String) -> String {
        switch (code, field) {
        case (.taken, "username"): "This username is taken, or looks like one that is."
        case (.taken, "displayName"): "This name looks like somebody else's."
        case (.taken, "newEmail"): "This e-mail address has an account already."
        case (.taken, _): "This id is taken."
        case (.required, "text"): "The message is missing."
        case (.wrongCredentials, _): "This is not the password."
        case (.expired, _): "This link has been used, or is too old. Ask for a new one."
        case (.inThePast, _): "This is over."
        case (.notAllowed, "eventId"): "This event is cancelled."
        case (.notAllowed, "userId"): "This is you."
        case (.notAllowed, "subjectId"): "This is your own."
        case (.conflict, "id"): "This was decided otherwise."
        case (.conflict, "subjectId"): "This comment is on something else, and stays there."
        case (.conflict, "conversationId"): "This message is in another conversation, and stays there."
        case (.conflict, "imageId"): "A message keeps the image that it was sent with."
        case (.notAllowed, "thoughtId"): "This is a draft, which nobody else can open: publish it first."
        case (.quotaExceeded, _): "There is no room left for this image: delete some that you use no more."
        case (.endsBeforeStart, _): "The event has to end after it starts."
        case (.invalid, "timeZone"): "This is not an IANA time zone such as Europe/Madrid."
        default: "This is not valid."
        }
    }

    static let binding: Binding = ObjectBinding<UserError, RequestContext>("UserError") { error in
        error.field("code", \.code)
        error.field("message", \.message)
        error.field("field", \.field)
    }
}
