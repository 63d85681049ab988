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
    /// Options of the postmaster, such as `-c synchronous_commit=on`.
    private let options: String

    public var connectionString: String { "host=\(directory) port=5432 user=postgres dbname=postgres" }

    /// Makes and starts a cluster, as the user `postgres` when this process is root, which initdb refuses.
    /// - Parameter options: further options of the server.
    public static func start(options: String = "") throws -> ThrowawayCluster {
        for parent in [memory, disk] { removeLeftovers(in: parent) }
        let directory = try makeDirectory()
        try run([
            try program("initdb"), "--pgdata=\(directory)/data", "--username=postgres", "--auth=trust",
            "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions",
        ])
        return try start(in: directory, options: options)
    }

    /// Starts a cluster that `stop()` has stopped.
    public func restart() throws -> ThrowawayCluster { try Self.start(in: directory, options: options) }

    /// Makes and starts an asynchronous standby that streams from this cluster.
    public func standby() throws -> ThrowawayCluster {
        let directory = try Self.makeDirectory()
        try Self.run([
            try Self.program("pg_basebackup"), "--pgdata=\(directory)/data", "--dbname=\(connectionString)",
            "--write-recovery-conf", "--checkpoint=fast", "--no-sync",
        ])
        return try Self.start(in: directory, options: options)
    }

    /// Ends the recovery of a standby, which then takes writes.
    public func promote() throws {
        try Self.run([try Self.program("pg_ctl"), "promote", "--wait", "--silent", "--pgdata=\(directory)/data"])
    }

    private static func makeDirectory() throws -> String {
        // Databases are many files: on a disk their removal alone takes minutes.
        let parent = hasRoom(memory) ? memory : disk
        var template = Array("\(parent)/\(prefix)\(getpid()).XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(reason: "mkdtemp") }
        let directory = String(cString: made)
        if geteuid() == 0, let user = getpwnam("postgres") {
            chown(directory, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        return directory
    }

    private static func start(in directory: String, options: String) throws -> ThrowawayCluster {
        try run([
            try program("pg_ctl"), "start", "--wait", "--silent", "--pgdata=\(directory)/data",
            "--log=\(directory)/log", "--options",
            "-k \(directory) -p 5432 -c listen_addresses= -c fsync=off -c synchronous_commit=off"
                + " -c full_page_writes=off -c max_connections=200 -c max_wal_size=256MB"
                // Plans are those of the statistics that the tests collect.
                + " -c autovacuum=off \(options)",
        ])
        guard let postmaster = postmaster(of: directory) else { throw Failure(reason: "no postmaster.pid") }
        return ThrowawayCluster(directory: directory, postmaster: postmaster, options: options)
    }

    /// SIGQUIT, immediate shutdown; waits until the process has gone.
    public func stop() {
        // The number may be another process's after the cluster has been stopped or restarted.
        guard Self.postmaster(of: directory) == postmaster else { return }
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

    private static let disk = "/tmp"
    /// A file system in memory on Linux.
    private static let memory = "/dev/shm"
    private static let prefix = "pgtest."

    /// True where the directory can be written and has 8 GiB to give; all tests take about 4.
    private static func hasRoom(_ directory: String) -> Bool {
        var figures = statvfs()
        guard access(directory, W_OK) == 0, statvfs(directory, &figures) == 0 else { return false }
        return UInt64(figures.f_bavail) * UInt64(figures.f_frsize) >= 8 << 30
    }

    /// Stops and removes the clusters of test runs that crashed: the directory's name has the run's process id.
    private static func removeLeftovers(in parent: String) {
        guard let listing = opendir(parent) else { return }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let parts = name.split(separator: ".")
            guard name.hasPrefix(prefix), parts.count == 3, let owner = pid_t(parts[1]), !isRunning(owner)
            else { continue }
            let directory = "\(parent)/\(name)"
            if let postmaster = postmaster(of: directory) {
                ThrowawayCluster(directory: directory, postmaster: postmaster, options: "").stop()
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
