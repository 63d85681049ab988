import GraphQL
import Logging
import Postgres

extension ExecutionError {
    static let unauthenticated = ExecutionError("Sign in first.", code: .unauthenticated)
    static let sessionEnded = ExecutionError("This session has ended. Sign in again.", code: .unauthenticated)
    static let notFound = ExecutionError("There is no such object, or it is not visible.", code: .notFound)
    static let unavailable = ExecutionError("The database cannot be reached at the moment.", code: .unavailable)
    static let readsOnly = ExecutionError("The database takes no writes at the moment.", code: .unavailable)
    static let timeout = ExecutionError("This took too long.", code: .timeout)

    static func forbidden(reason: String?) -> ExecutionError {
        guard let reason, !reason.isEmpty else {
            return ExecutionError("This belongs to somebody else.", code: .forbidden)
        }
        let message = reason == "SIGN_UP_REQUIRED" ? "Sign up to do this." : "This is not allowed."
        return ExecutionError(message, code: .forbidden, extensions: [(name: "reason", value: .string(reason))])
    }

    /// - Parameters:
    ///   - cause: a ReportReason.
    ///   - until: a DateTime.
    static func suspended(for cause: String, until: String) -> ExecutionError {
        ExecutionError(
            "This account is suspended until \(until).", code: .forbidden,
            extensions: [
                (name: "reason", value: .string("SUSPENDED")), (name: "cause", value: .string(cause)),
                (name: "until", value: .string(until)),
            ])
    }

    /// - Parameter retryAfter: in seconds; clients get it rounded up.
    static func rateLimited(retryAfter: Double) -> ExecutionError {
        ExecutionError(
            "Too many tries. Wait a little.", code: .rateLimited,
            extensions: [(name: "retryAfter", value: .int(max(1, Int(min(retryAfter, 86_400).rounded(.up)))))])
    }

    /// Clients that are refused together are told different waits, so that they do not come back together.
    static func overloaded(retryAfter: Int = .random(in: 1...4)) -> ExecutionError {
        ExecutionError(
            "The server has too much to do. Try again soon.", code: .overloaded,
            extensions: [(name: "retryAfter", value: .int(retryAfter))])
    }

    static func unavailable(retryAfter: Int) -> ExecutionError {
        ExecutionError(
            "The server is busy. Wait a little.", code: .unavailable,
            extensions: [(name: "retryAfter", value: .int(retryAfter))])
    }

    static let internalServerErrorMessage = "Something went wrong."
}

extension RequestContext: ExecutionContext {
    /// The error for the client. The database's text goes to the log alone; the client gets an id to quote.
    public func executionError(for error: any Error) -> ExecutionError {
        switch error {
        case let error as ExecutionError: return error
        case is CancellationError: return .timeout
        case let error as PostgresError:
            switch error {
            case .timeout: return .timeout
            case .overloaded: return .overloaded()
            case .unavailable, .connectionLost: return .unavailable
            case .server(let server):
                if let refusal = Refusal(server) { return refusal.executionError }
                if error.isServerTimeout { return .timeout }
                if server.isForLackOfLibrary || server.sqlstate.isForLackOfServer {
                    log(.error, "the database cannot serve", ["error": "\(server.withoutValues)"])
                    return server.sqlstate == .readOnlyTransaction ? .readsOnly : .unavailable
                }
                if server.sqlstate == .insufficientPrivilege {
                    // A policy refused what the statement's own check should have refused, or a grant is missing.
                    log(.warning, "refused by policy", ["error": "\(server.withoutValues)"])
                    return .forbidden(reason: nil)
                }
            case .tooManyParameters, .column: break
            }
        default: break
        }
        let id = environment.newID().description
        log(.error, "internal error", ["error_id": "\(id)", "error": "\(error.textForLog)"])
        return ExecutionError(
            ExecutionError.internalServerErrorMessage, code: .internalServerError,
            extensions: [(name: "errorId", value: .string(id))])
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata) {
        var metadata = metadata
        if let requestID { metadata["request_id"] = "\(requestID)" }
        environment.logger.log(level: level, message, metadata: metadata)
    }
}

extension SQLState {
    fileprivate static let readOnlyTransaction: SQLState = "25006"

    /// Whether the server cannot serve: it lacks disk, memory or connections, is starting or stopping, or is read-only.
    /// Source: PostgreSQL manual, appendix A, classes 53 and 57, and 25006
    fileprivate var isForLackOfServer: Bool {
        isInClass("53") || ["57P01", "57P02", "57P03", .readOnlyTransaction].contains(self)
    }
}

extension ServerError {
    /// The error for the log, without values: a detail would quote the row, and the message of a data exception the
    /// value.
    /// Source: PostgreSQL manual, appendix A, class 22
    var withoutValues: String {
        let text = sqlstate.isInClass("22") ? "data exception" : message
        let places = [("table", table), ("column", column), ("constraint", constraint)]
            .compactMap { name, value in value.map { "\(name) \($0)" } }
        return (["\(sqlstate): \(text)"] + places).joined(separator: ", ")
    }
}
