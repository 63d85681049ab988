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
    case endsBeforeStart = "ENDS_BEFORE_START"
    case inThePast = "IN_THE_PAST"
    case notAllowed = "NOT_ALLOWED"
    case notFound = "NOT_FOUND"
    case conflict = "CONFLICT"

    /// Where a refusal of the database says no more than its code.
    var sentence: String {
        switch self {
        case .inThePast: "This is over."
        case .notFound: "There is no such object."
        case .notAllowed: "This is not allowed."
        case .conflict: "This account has signed up already."
        default: "This is not valid."
        }
    }
}

/// What a person can mend in an input.
struct UserError: ObjectValue, Equatable {
    let code: UserErrorCode
    let message: String
    let field: [String]?

    /// `field` is a field of the input; empty where none is to blame.
    init(_ code: UserErrorCode, _ message: String, _ field: String) {
        self.code = code
        self.message = message
        self.field = field.isEmpty ? nil : ["input", field]
    }

    static let binding: Binding = ObjectBinding<UserError, RequestContext>("UserError") { error in
        error.field("code", \.code)
        error.field("message", \.message)
        error.field("field", \.field)
    }
}
