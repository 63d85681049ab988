import GraphQL
import Postgres

/// A refusal that `refuse(code, detail)` raised in a segment, which rolled the segment back.
enum Refusal: Equatable {
    case notFound
    case forbidden(reason: String?)
    case suspended(for: String, until: String)
    case unauthenticated
    /// Errors that a person can correct, for the payload.
    case userErrors([UserError])

    init?(_ error: ServerError) {
        guard error.sqlstate == .refusal else { return nil }
        switch error.message {
        case "NOT_FOUND": self = .notFound
        case "FORBIDDEN":
            let parts = (error.detail ?? "").split(separator: " ").map(String.init)
            if parts.count == 3, parts[0] == "SUSPENDED" {
                self = .suspended(for: parts[1], until: parts[2])
            } else {
                self = .forbidden(reason: error.detail)
            }
        case "UNAUTHENTICATED": self = .unauthenticated
        case "USER_ERRORS":
            self = .userErrors((error.detail ?? "").split(separator: ",").compactMap { UserError(stored: String($0)) })
        default: return nil
        }
    }

    var executionError: ExecutionError {
        switch self {
        case .notFound, .userErrors: .notFound
        case .forbidden(let reason): .forbidden(reason: reason)
        case .suspended(let cause, let until): .suspended(for: cause, until: until)
        case .unauthenticated: .unauthenticated
        }
    }
}

extension SQLState {
    /// The SQLSTATE that only `refuse` raises.
    static let refusal: SQLState = "TR001"
}
