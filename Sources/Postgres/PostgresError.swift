import CLibpq

/// The error of a statement, a segment or a connection.
public enum PostgresError: Error, Sendable {
    /// The server refused a statement. Its whole segment has no effect.
    case server(ServerError)
    /// No answer came before the deadline. The segment that was sent may still take effect.
    case timeout
    /// The segment was not sent, because no connection was up, or the pool has been shut down.
    case unavailable
    /// The segment was not sent, because too many segments waited.
    case overloaded
    /// The connection was lost. `outcomeUnknown`: the segment was sent, and may or may not have committed.
    case connectionLost(outcomeUnknown: Bool)
    /// A statement has more than 65,535 values, the protocol's limit.
    case tooManyParameters
    /// The statement ran, but a column of its result is not what the program reads.
    case column(ColumnError)

    public var server: ServerError? {
        if case .server(let error) = self { error } else { nil }
    }

    public var sqlstate: SQLState? { server?.sqlstate }

    /// The constraint that was violated.
    public var constraint: String? { server?.constraint }

    /// Whether the same transaction may succeed when it is run again, after the SQLSTATE 40001 or 40P01.
    public var isRetryable: Bool {
        sqlstate == .serializationFailure || sqlstate == .deadlockDetected
    }

    /// True if the server ended a statement that took too long, or that waited too long for a lock: SQLSTATE 57014 or 55P03.
    public var isServerTimeout: Bool { sqlstate == .queryCanceled || sqlstate == .lockNotAvailable }

    /// A pattern for `catch PostgresError.constraint("users_username_key")`.
    public static func constraint(_ name: String) -> ConstraintPattern { ConstraintPattern(name: name) }

    public struct ConstraintPattern: Sendable {
        let name: String

        public static func ~= (pattern: ConstraintPattern, error: any Error) -> Bool {
            (error as? PostgresError)?.constraint == pattern.name
        }
    }
}

/// A column that is not what the program reads, because the schema is another than the program's.
public struct ColumnError: Sendable, Equatable, CustomStringConvertible {
    /// The name of the statement's type, of the file of its segment, or the text of a statement outside of any pool.
    public let statement: String
    /// The column's name; its number, from 1, if the statement has no such column.
    public let column: String
    public let expected: ColumnType
    /// The OID of the column's type; nil if the type is as expected, but a value is NULL that may not be.
    public let found: UInt32?

    public var description: String {
        let found = found.map(ColumnType.name) ?? "NULL"
        return "\(statement) reads the column \(column) as \(expected.name), but it is \(found)"
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
    /// The index of the statement of the segment that failed, from 0; nil for its settings.
    public internal(set) var statement: Int?
    /// The function in the server's source that raised the error.
    let sourceFunction: String?

    /// Whether the server could not load one of its own libraries, such as PL/pgSQL's, because the file belongs to
    /// another version.
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
