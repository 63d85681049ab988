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

    /// An error of libpq's.
    init(_ result: OpaquePointer) {
        func field(_ code: Int) -> String? {
            PQresultErrorField(result, Int32(truncatingIfNeeded: code)).map { String(cString: $0) }
        }
        self.init(
            field: { field(Int($0)) }, message: PQresultErrorMessage(result).map { String(cString: $0) } ?? "")
    }

    init(_ response: BackendMessage) { self.init(field: { response.field($0) }, message: "") }

    /// PostgreSQL's manual, "Error and Notice Message Fields".
    private init(field: (UInt8) -> String?, message: @autoclosure () -> String) {
        sqlstate = SQLState(field(UInt8(ascii: "C")) ?? "")
        self.message = field(UInt8(ascii: "M")) ?? message()
        detail = field(UInt8(ascii: "D"))
        hint = field(UInt8(ascii: "H"))
        table = field(UInt8(ascii: "t"))
        column = field(UInt8(ascii: "c"))
        constraint = field(UInt8(ascii: "n"))
        sourceFunction = field(UInt8(ascii: "R"))
    }

    public var description: String {
        "\(sqlstate): \(message)" + (detail.map { " (\($0))" } ?? "")
    }
}
