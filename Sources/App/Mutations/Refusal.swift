import GraphQL
import Postgres

/// What `refuse(code, detail)` raised inside a segment: nothing of the segment remains.
enum Refusal: Equatable {
    case notFound
    case forbidden(reason: String?)
    case unauthenticated
    /// The input's field whose value somebody else has.
    case taken(field: String)
    case userError(UserErrorCode, field: String)

    init?(_ error: ServerError) {
        guard error.sqlstate == .refusal else { return nil }
        let detail = error.detail
        switch error.message {
        case "NOT_FOUND": self = .notFound
        case "FORBIDDEN": self = .forbidden(reason: detail)
        case "UNAUTHENTICATED": self = .unauthenticated
        case "TAKEN": self = .taken(field: detail ?? "id")
        default:
            guard let code = UserErrorCode(rawValue: error.message) else { return nil }
            self = .userError(code, field: detail ?? "")
        }
    }

    var executionError: ExecutionError {
        switch self {
        case .notFound: .notFound
        case .forbidden(let reason): .forbidden(reason: reason)
        case .unauthenticated: .unauthenticated
        case .taken, .userError: .notFound
        }
    }

    /// What a person can mend comes back in the payload.
    var userError: UserError? {
        switch self {
        case .taken(let field): UserError(.taken, "This id is taken.", field)
        case .userError(let code, let field): UserError(code, code.sentence, field)
        case .notFound, .forbidden, .unauthenticated: nil
        }
    }
}

extension SQLState {
    /// Raised by `refuse` alone.
    static let refusal: SQLState = "TR001"
}
