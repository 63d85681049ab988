import FoundationEssentials
import Glibc
import Logging
import SystemPackage

/// The private cluster, which is used where `DATABASE_URL` is unset. It is a whole PostgreSQL server, reached over a
/// private Unix socket.
///
/// A command adopts a cluster that runs, or starts one. The command that started a cluster stops it at its end, unless
/// another process uses the cluster then.
struct Cluster: Sendable {
    let location: ClusterLocation
    let postmaster: Postmaster
    /// True if this process started the cluster; false if the cluster was running already and was adopted.
    let isOurs: Bool
    private let program: ServerProgram
    private let changes: FileLock
    private let users: FileLock
    private let logger: Logger

    static let database = "tertulia"
    /// The role that pools log in as. It has no rights of its own, only those of the roles that it takes.
    static let loginRole = "tertulia"
    /// The roles that the login role may take; the migrations give them their rights.
    static let grantedRoles = ["tertulia_server", "tertulia_worker"]
    /// The bootstrap superuser. It migrates; requests never use it.
    static let superuser = "postgres"

    func url(user: String = loginRole, database: String = database) -> String {
        "postgresql://\(user)@/\(database)?host=\(postmaster.socketDirectory)&port=\(postmaster.port)"
    }

    /// Makes the cluster if there is none, starts it if it does not run, and counts this process among its users.
    ///
    /// - Throws: `ClusterError`; the system's error if a file of the cluster cannot be written; Subprocess's error if a
    ///   program cannot be run.
    static func open(home: FilePath, logger: Logger) async throws -> Cluster {
        try await open(ClusterLocation.resolve(home: home, logger: logger), logger: logger)
    }

    /// - Parameter installation: the programs to run; nil for those that `PostgreSQLInstallation.find` finds.
    static func open(
        _ location: ClusterLocation, installation: PostgreSQLInstallation? = nil, logger: Logger
    ) async throws -> Cluster {
        let made = dataVersion(location.data)
        var found = installation
        if found == nil { found = await PostgreSQLInstallation.find(major: made) }
        guard let installation = found else { throw ClusterError.noInstallation(needed: made) }
        let program = ServerProgram(installation: installation, owner: location.owner)

        let changes = try FileLock(location.root.appending("changes.lock"), owner: location.owner)
        let users = try FileLock(location.root.appending("users.lock"), owner: location.owner)
        try await changes.lock(.exclusive)
        defer { changes.unlock() }
        try await users.lock(.shared)

        let starter = ClusterStarter(location: location, program: program, logger: logger)
        let (postmaster, isOurs) = try await starter.runningPostmaster()
        return Cluster(
            location: location, postmaster: postmaster, isOurs: isOurs,
            program: program, changes: changes, users: users, logger: logger)
    }

    /// Releases the cluster, and stops it if this process started it and no other process uses it.
    func close() async throws {
        guard isOurs else { return users.unlock() }
        try await changes.lock(.exclusive)
        defer { changes.unlock() }
        defer { users.unlock() }
        guard users.tryLock(.exclusive) else {
            return logger.info("The private cluster has other users and keeps running")
        }
        guard Postmaster.running(in: location.data) != nil else { return }
        try await program("pg_ctl", ["-D", location.data.string, "-m", "fast", "-w", "-t", "60", "stop"])
        SocketDirectory.remove(postmaster.socketDirectory, of: location)
        logger.info("The private cluster has stopped")
    }

    /// Stops the postmaster and starts a new one, which runs PostgreSQL's programs as they are on disk after an
    /// upgrade. Committed data stay; open transactions are rolled back. Nothing happens if `seen` is no longer the
    /// running postmaster: another process has restarted the cluster, or the cluster has stopped.
    ///
    /// - Throws: `ClusterError`, or Subprocess's error if a program cannot be run.
    func restart(_ seen: Postmaster) async throws {
        try await changes.lock(.exclusive)
        defer { changes.unlock() }
        guard Postmaster.running(in: location.data)?.process == seen.process else { return }
        logger.notice("The private cluster is restarted")
        let arguments = ["-D", location.data.string, "-w", "-t", "60"]
        try await program("pg_ctl", arguments + ["-m", "fast", "stop"])
        for attempt in 1... {
            do {
                // The socket directory stays the same, because the server's pools connect to it.
                try await program("pg_ctl", arguments + ["-l", location.log.string, "start"])
                return
            } catch let error as ClusterError {
                // A package that is being unpacked lacks files for a moment.
                guard attempt < 30 else { throw error }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    private static func dataVersion(_ data: FilePath) -> Int? {
        let text = try? String(contentsOfFile: data.appending("PG_VERSION").string, encoding: .utf8)
        return text.flatMap { Int($0.prefix { $0.isNumber }) }
    }
}
