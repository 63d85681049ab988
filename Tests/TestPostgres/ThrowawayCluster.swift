import Glibc
import Synchronization

/// A PostgreSQL cluster in a temporary directory, reached by a Unix socket alone.
public struct ThrowawayCluster: Sendable {
    public struct Failure: Error {
        public let reason: String
    }

    /// Short, since a socket's path must stay below 108 bytes.
    public let directory: String
    public let postmaster: pid_t

    public var connectionString: String { "host=\(directory) port=5432 user=postgres dbname=postgres" }

    /// Makes and starts a cluster, as the user `postgres` when this process is root, which initdb refuses.
    public static func start() throws -> ThrowawayCluster {
        removeLeftovers()
        var template = Array("\(temporary)/\(prefix)\(getpid()).XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(reason: "mkdtemp") }
        let directory = String(cString: made)
        if geteuid() == 0, let user = getpwnam("postgres") {
            chown(directory, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        try run([
            try program("initdb"), "--pgdata=\(directory)/data", "--username=postgres", "--auth=trust",
            "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions",
        ])
        return try start(in: directory)
    }

    /// Starts a cluster that `stop()` has stopped.
    public func restart() throws -> ThrowawayCluster { try Self.start(in: directory) }

    private static func start(in directory: String) throws -> ThrowawayCluster {
        try run([
            try program("pg_ctl"), "start", "--wait", "--silent", "--pgdata=\(directory)/data",
            "--log=\(directory)/log", "--options",
            "-k \(directory) -p 5432 -c listen_addresses= -c fsync=off -c synchronous_commit=off"
                + " -c full_page_writes=off -c max_connections=200 -c max_wal_size=256MB"
                // Plans are those of the statistics that the tests collect.
                + " -c autovacuum=off",
        ])
        guard let postmaster = postmaster(of: directory) else { throw Failure(reason: "no postmaster.pid") }
        return ThrowawayCluster(directory: directory, postmaster: postmaster)
    }

    /// SIGQUIT, immediate shutdown; waits until the process has gone.
    public func stop() {
        kill(postmaster, SIGQUIT)
        for _ in 0..<500 where kill(postmaster, 0) == 0 { usleep(10_000) }
    }

    public func remove() {
        _ = try? Self.run(["/bin/rm", "-rf", directory])
    }

    private static let running = Mutex<[ThrowawayCluster]>([])

    public func stopAtExit() {
        Self.running.withLock { $0.append(self) }
        atexit {
            for cluster in ThrowawayCluster.running.withLock({ $0 }) {
                cluster.stop()
                cluster.remove()
            }
        }
    }

    private static let temporary = "/tmp"
    private static let prefix = "pgtest."

    /// Stops and removes the clusters of test runs that crashed: the directory's name has the run's process id.
    private static func removeLeftovers() {
        guard let listing = opendir(temporary) else { return }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let parts = name.split(separator: ".")
            guard name.hasPrefix(prefix), parts.count == 3, let owner = pid_t(parts[1]), !isRunning(owner)
            else { continue }
            let directory = "\(temporary)/\(name)"
            if let postmaster = postmaster(of: directory) {
                ThrowawayCluster(directory: directory, postmaster: postmaster).stop()
            }
            _ = try? run(["/bin/rm", "-rf", directory])
        }
    }

    static func isRunning(_ process: pid_t) -> Bool { kill(process, 0) == 0 || errno == EPERM }

    private static func postmaster(of directory: String) -> pid_t? {
        read("\(directory)/data/postmaster.pid").split(separator: "\n").first.flatMap { pid_t($0) }
    }

    private static func program(_ name: String) throws -> String {
        for version in stride(from: 20, through: 13, by: -1) {
            let path = "/usr/lib/postgresql/\(version)/bin/\(name)"
            if access(path, X_OK) == 0 { return path }
        }
        for directory in String(cString: getenv("PATH")).split(separator: ":") {
            let path = "\(directory)/\(name)"
            if access(path, X_OK) == 0 { return path }
        }
        throw Failure(reason: "\(name) is not installed")
    }

    private static func run(_ arguments: [String]) throws {
        let arguments = geteuid() == 0 ? ["/sbin/runuser", "-u", "postgres", "--"] + arguments : arguments
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // A connection that another test closes would stay open for as long as the cluster has it too. The numbers of
        // open descriptors are the lowest, and no test has that many. Swift does not import addclosefrom_np.
        for descriptor in 3..<Int32(max(3, min(16_384, sysconf(Int32(_SC_OPEN_MAX))))) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        guard posix_spawn(&child, arguments[0], &actions, nil, &pointers, environ) == 0 else {
            throw Failure(reason: "cannot run \(arguments[0])")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else { throw Failure(reason: "\(arguments) ended with \(status)") }
    }

    private static func read(_ path: String) -> String {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
