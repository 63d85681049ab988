import CLibpq

public enum PostgresError: Error, Sendable {
    /// The server refused a statement; its segment left nothing behind.
    case server(ServerError)
    /// No answer came before the deadline. The segment that was sent may still take effect.
    case timeout
    /// Nothing was sent: no connection, too many waiting, or the pool has been shut down.
    case unavailable
    /// The connection died. `outcomeUnknown`: the segment was sent, and may or may not have committed.
    case connectionLost(outcomeUnknown: Bool)
    /// More values than the protocol carries in one statement (65,535).
    case tooManyParameters

    public var server: ServerError? {
        if case .server(let error) = self { error } else { nil }
    }

    public var sqlstate: SQLState? { server?.sqlstate }

    /// The constraint that was violated.
    public var constraint: String? { server?.constraint }

    /// Whether the same transaction may succeed when it is run again: 40001 and 40P01.
    public var isRetryable: Bool {
        sqlstate == .serializationFailure || sqlstate == .deadlockDetected
    }

    /// For `catch PostgresError.constraint("users_username_key")`.
    public static func constraint(_ name: String) -> ConstraintPattern { ConstraintPattern(name: name) }

    public struct ConstraintPattern: Sendable {
        let name: String

        public static func ~= (pattern: ConstraintPattern, error: any Error) -> Bool {
            (error as? PostgresError)?.constraint == pattern.name
        }
    }
}

/// The fields of an ErrorResponse. Texts are for the log alone: they may quote values and never reach a client.
public struct ServerError: Sendable, CustomStringConvertible {
    public let sqlstate: SQLState
    public let message: String
    public let detail: String?
    public let hint: String?
    public let table: String?
    public let column: String?
    public let constraint: String?
    /// Which statement of the segment failed, counted from 0; nil for its settings.
    public internal(set) var statement: Int?
    /// The function of the server's source that raised it.
    let sourceFunction: String?

    /// Whether the session could not load a library of PostgreSQL's, as PL/pgSQL is one: its file does not belong to the
    /// server that runs. Source: src/backend/utils/fmgr/dfmgr.c
    public var isForLackOfLibrary: Bool {
        sourceFunction == "internal_load_library" || sourceFunction == "incompatible_module_error"
    }

    init(_ result: OpaquePointer) {
        func field(_ code: Int) -> String? {
            PQresultErrorField(result, Int32(truncatingIfNeeded: code)).map { String(cString: $0) }
        }
        sqlstate = SQLState(cString: PQresultErrorField(result, Int32(CLIBPQ_DIAG_SQLSTATE)))
        message =
            field(CLIBPQ_DIAG_MESSAGE_PRIMARY)
            ?? PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
        detail = field(CLIBPQ_DIAG_MESSAGE_DETAIL)
        hint = field(CLIBPQ_DIAG_MESSAGE_HINT)
        table = field(CLIBPQ_DIAG_TABLE_NAME)
        column = field(CLIBPQ_DIAG_COLUMN_NAME)
        constraint = field(CLIBPQ_DIAG_CONSTRAINT_NAME)
        sourceFunction = field(CLIBPQ_DIAG_SOURCE_FUNCTION)
    }

    public var description: String {
        "\(sqlstate): \(message)" + (detail.map { " (\($0))" } ?? "")
    }
}
