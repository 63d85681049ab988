import CLibpq

/// The error of a statement, a segment or a connection.
public enum PostgresError: Error, Sendable {
    /// The server refused a statement. Its whole segment has no effect.
    case server(ServerError)
    /// No answer came before the deadline. If the segment was sent by then, it may still take effect.
    case timeout
    /// Nothing was sent: no connection was up or could be opened, or the pool or the connection has been closed.
    case unavailable
    /// The segment was not sent, because too many segments waited.
    case overloaded
    /// The connection was lost. `outcomeUnknown`: the segment may have been sent, and may or may not have committed.
    case connectionLost(outcomeUnknown: Bool)
    /// A statement has more than 65,535 values, the protocol's limit.
    case tooManyParameters
    /// A transaction's body returned although one of its statements had failed: its commit rolled it back.
    case rolledBack

    public var server: ServerError? {
        if case .server(let error) = self { error } else { nil }
    }

    public var sqlstate: SQLState? { server?.sqlstate }

    /// The constraint that was violated.
    public var constraint: String? { server?.constraint }

    /// True where the same transaction may succeed when it is run again: after the SQLSTATE 40001 or 40P01.
    public var isRetryable: Bool {
        sqlstate == .serializationFailure || sqlstate == .deadlockDetected
    }

    /// A pattern for `catch PostgresError.constraint("users_username_key")`.
    public static func constraint(_ name: String) -> ConstraintPattern { ConstraintPattern(name: name) }

    public struct ConstraintPattern: Sendable {
        let name: String

        public static func ~= (pattern: ConstraintPattern, error: any Error) -> Bool {
            (error as? PostgresError)?.constraint == pattern.name
        }
    }
}

/// The fields of an ErrorResponse. Its texts may quote values, so they are for the log only and must not reach a
/// client.
public struct ServerError: Sendable, CustomStringConvertible {
    public let sqlstate: SQLState
    public let message: String
    public let detail: String?
    public let hint: String?
    public let table: String?
    public let column: String?
    public let constraint: String?
    /// The index in its segment of the statement that failed, from 0. nil if the settings or a preparation failed, and
    /// for an error of a `DedicatedConnection`.
    public internal(set) var statement: Int?
    /// The function in the server's source that raised the error.
    let sourceFunction: String?

    /// True where the server could not load one of its own libraries, such as PL/pgSQL's, because the file is missing
    /// or belongs to another version.
    /// Source: src/backend/utils/fmgr/dfmgr.c
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
