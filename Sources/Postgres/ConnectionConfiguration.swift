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
    /// The primary's newest timeline; nil where the server is no primary, or may be of any timeline.
    public var timeline: PrimaryTimeline?
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

    /// Connects to the primary of several hosts, or to the only host. Each host may block for two seconds, or for the
    /// connection string's `connect_timeout`, and for two more until the server has said what it is. The reason of a
    /// failure is logged.
    func connect(logLevel: Logger.Level = .warning) throws(PostgresError) -> Session {
        let hosts = HostList(connectionString)
        var reasons: [String] = []
        for host in timeline?.order(of: hosts.count) ?? Array(0..<hosts.count) {
            do throws(ConnectionFailure) {
                return try connect(to: host, of: hosts)
            } catch {
                reasons.append(error.reason)
            }
        }
        logger.log(level: logLevel, "cannot connect", metadata: ["reason": "\(reasons.joined(separator: "; "))"])
        throw .unavailable
    }

    private func connect(to host: Int, of hosts: HostList) throws(ConnectionFailure) -> Session {
        let libpq = try open(host, of: hosts)
        let now = Instant.now()
        guard let server = ServerIdentity(libpq, deadline: now + .seconds(2)) else {
            PQfinish(libpq)
            throw ConnectionFailure(reason: "the server does not answer")
        }
        guard let timeline else { return Session(libpq: libpq, server: server, generation: 0) }
        guard let generation = timeline.admit(server, now: now) else {
            PQfinish(libpq)
            throw ConnectionFailure(reason: "the server is a primary of an older timeline")
        }
        return Session(libpq: libpq, server: server, generation: generation)
    }

    /// Connects to one of the hosts, if it is a primary or the only host.
    /// - Parameter anyKind: whether it may be a standby, too.
    func open(
        _ host: Int, of hosts: HostList, anyKind: Bool = false
    ) throws(ConnectionFailure) -> OpaquePointer {
        // A later keyword replaces an earlier one.
        var keywords: [(String, String)] = [
            ("connect_timeout", "2"), ("tcp_user_timeout", "2000"), ("keepalives", "1"),
            ("keepalives_idle", "10"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
            // Of several hosts only the primary is wanted; the others are standbys.
            ("target_session_attrs", hosts.count > 1 ? "read-write" : "any"),
            ("application_name", applicationName),
        ]
        if hosts.count > 1 {
            keywords += hosts.keywords(of: host)
        } else {
            keywords.append(("dbname", connectionString))
        }
        keywords += [
            ("client_encoding", "UTF8"), ("options", "\(hosts.value(of: "options") ?? "") \(options)"),
        ]
        if anyKind { keywords.append(("target_session_attrs", "any")) }
        let connection = withCStrings(keywords.map(\.0)) { names in
            withCStrings(keywords.map(\.1)) { values in PQconnectdbParams(names, values, hosts.count > 1 ? 0 : 1) }
        }
        guard let connection else { throw ConnectionFailure(reason: "no memory") }
        guard PQstatus(connection) == CONNECTION_OK else {
            let reason = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
            PQfinish(connection)
            throw ConnectionFailure(reason: reason)
        }
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        return connection
    }

    struct ConnectionFailure: Error {
        let reason: String
    }

    /// A new session, which its owner must end by PQfinish.
    struct Session {
        let libpq: OpaquePointer
        let server: ServerIdentity
        /// The generation of `timeline`; 0 without one.
        let generation: Int
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
