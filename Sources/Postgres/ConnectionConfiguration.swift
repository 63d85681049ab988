import CLibpq
import Logging

/// The address of a server, and the start-up options of a session.
public struct ConnectionConfiguration: Sendable {
    /// A URL or `key=value` pairs. PostgreSQL's manual, "Connection Strings".
    public var connectionString: String
    /// The session's role, set in the startup packet, so that RESET ROLE returns to it.
    public var role: String?
    public var applicationName = "tertulia"
    /// Server parameters for the session, such as `plan_cache_mode`.
    public var parameters: [(name: String, value: String)] = []
    /// PostgreSQL's `statement_timeout`; nil leaves the server's default.
    public var statementTimeout: Duration?
    /// PostgreSQL's `lock_timeout`; nil leaves the server's default.
    public var lockTimeout: Duration?
    /// PostgreSQL's `idle_in_transaction_session_timeout`; nil leaves the server's default.
    public var idleInTransactionTimeout: Duration?
    public var logger = Logger(label: "postgres")

    public init(_ connectionString: String, role: String? = nil) {
        self.connectionString = connectionString
        self.role = role
    }

    /// The value of the startup packet's `options`: `-c name=value` with spaces and backslashes escaped.
    var options: String {
        var settings = parameters
        if let role { settings.append(("role", role)) }
        for (name, duration) in [
            ("statement_timeout", statementTimeout), ("lock_timeout", lockTimeout),
            ("idle_in_transaction_session_timeout", idleInTransactionTimeout),
        ] {
            if let duration { settings.append((name, String(duration.milliseconds))) }
        }
        return settings.map { name, value in
            "-c \(name)=" + value.flatMap { $0 == " " || $0 == "\\" ? ["\\", $0] : [$0] }
        }.joined(separator: " ")
    }

    /// Connects, and blocks for up to two seconds a host unless the connection string sets `connect_timeout`. The
    /// reason of a failure is logged.
    func connect(logLevel: Logger.Level = .warning) throws(PostgresError) -> OpaquePointer {
        // The connection string in `dbname` overrides the keywords before it, and is overridden by the keywords after
        // it.
        let keywords: [(String, String)] = [
            ("connect_timeout", "2"), ("tcp_user_timeout", "2000"), ("keepalives", "1"),
            ("keepalives_idle", "10"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
            // Of several hosts only the primary is wanted; the others are standbys.
            ("target_session_attrs", value(of: "host").contains(",") ? "read-write" : "any"),
            // Only libpq can read what GSSAPI encrypts.
            ("gssencmode", "disable"),
            ("application_name", applicationName), ("dbname", connectionString),
            ("client_encoding", "UTF8"), ("options", [value(of: "options"), options].joined(separator: " ")),
        ]
        let connection = withCStrings(keywords.map(\.0)) { names in
            withCStrings(keywords.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
        }
        guard let connection else { throw .unavailable }
        guard PQstatus(connection) == CONNECTION_OK else {
            let message = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
            logger.log(level: logLevel, "cannot connect", metadata: ["reason": "\(message)"])
            PQfinish(connection)
            throw .unavailable
        }
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        return connection
    }

    /// The value of a keyword in the connection string; empty where the string does not have it.
    private func value(of keyword: String) -> String {
        guard let options = PQconninfoParse(connectionString, nil) else { return "" }
        defer { PQconninfoFree(options) }
        var option = options
        while let name = option.pointee.keyword {
            if String(cString: name) == keyword, let value = option.pointee.val { return String(cString: value) }
            option += 1
        }
        return ""
    }
}

/// Calls `body` with a NULL-terminated array of C strings, which is valid only during the call.
func withCStrings<R>(_ strings: [String], _ body: ([UnsafePointer<CChar>?]) -> R) -> R {
    let buffers = strings.map { string in
        let bytes = string.utf8CString
        let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = buffer.initialize(from: bytes)
        return buffer
    }
    defer { for buffer in buffers { buffer.deallocate() } }
    return body(buffers.map { UnsafePointer($0.baseAddress) } + [nil])
}
