import FoundationEssentials
import Glibc
import Logging
import SystemPackage

/// Starts the cluster of a location, and makes it first if needed. The caller holds the lock against other starts and
/// stops.
struct ClusterStarter {
    let location: ClusterLocation
    let program: ServerProgram
    let logger: Logger

    private static let patience = Duration.seconds(60)

    func runningPostmaster() async throws -> (Postmaster, startedHere: Bool) {
        if let running = try await readyPostmaster() { return (running, false) }
        if access(location.data.appending("PG_VERSION").string, F_OK) != 0 { try await create() }
        try await start()
        guard let started = try await readyPostmaster()
        else { throw ClusterError.program("postgres", output: "it ended right after its start; see \(location.log)") }
        return (started, true)
    }

    /// Runs initdb and makes the login role and the database, in a draft directory that is renamed once it is complete.
    private func create() async throws {
        let draft = location.root.appending("data.new")
        if access(draft.string, F_OK) == 0 { try FileManager.default.removeItem(atPath: draft.string) }
        try await program(
            "initdb",
            [
                "--pgdata", draft.string, "--username", Cluster.superuser, "--encoding", "UTF8", "--locale", "C.UTF-8",
                "--data-checksums", "--auth-local", "trust", "--auth-host", "reject", "--no-instructions",
            ])
        try append("\ninclude 'tertulia.conf'\n", to: draft.appending("postgresql.conf"))
        try write("", to: draft.appending("tertulia.conf"))
        let roles = Cluster.grantedRoles.map { "create role \($0) nologin noinherit role \(Cluster.loginRole)" }
            .joined(separator: "\n")
        try await program(
            "postgres", ["--single", "-D", draft.string, "-c", "exit_on_error=on", "postgres"],
            input: """
                create role \(Cluster.loginRole) login noinherit
                \(roles)
                create database \(Cluster.database)

                """)
        guard rename(draft.string, location.data.string) == 0
        else { throw ClusterError.file(location.data, Errno(rawValue: errno)) }
        logger.notice(
            "A private PostgreSQL cluster has been made",
            metadata: ["data": "\(location.data)", "version": "\(program.installation.major)"])
    }

    private func start() async throws {
        Postmaster.removeMisleadingFile(in: location.data)
        if let left = Postmaster.recorded(in: location.data)?.socketDirectory {
            SocketDirectory.remove(left, of: location)
        }
        let socket = try SocketDirectory.make(for: location)
        try write(ClusterSettings(socketDirectory: socket.string).text, to: location.data.appending("tertulia.conf"))
        try rotateLog()
        let arguments = [
            "-D", location.data.string, "-l", location.log.string, "-w", "-t", "60", "start",
        ]
        for attempt in 1... {
            do {
                try await program("pg_ctl", arguments)
                break
            } catch let error as ClusterError {
                // Backends of a killed postmaster hold its shared memory for a moment longer.
                guard attempt < 20, log().contains("pre-existing shared memory block") else {
                    SocketDirectory.remove(socket, of: location)
                    throw described(error)
                }
                try rotateLog(over: 0)
                try await Task.sleep(for: .milliseconds(250))
            }
        }
        logger.info("The private cluster has started", metadata: ["socket": "\(socket)"])
    }

    /// The postmaster once it accepts connections; nil if none runs.
    private func readyPostmaster() async throws -> Postmaster? {
        let deadline = ContinuousClock.now + Self.patience
        while let postmaster = Postmaster.running(in: location.data) {
            if postmaster.isReady { return postmaster }
            guard ContinuousClock.now < deadline
            else { throw ClusterError.notReady(data: location.data, seconds: Int(Self.patience.components.seconds)) }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    /// Renames the log before a start if it is larger than `limit` bytes. One earlier log is kept.
    private func rotateLog(over limit: Int64 = 8 << 20) throws {
        var status = stat()
        guard stat(location.log.string, &status) == 0, status.st_size > limit else { return }
        rename(location.log.string, location.log.string + ".1")
    }

    private func log() -> String { (try? String(contentsOfFile: location.log.string, encoding: .utf8)) ?? "" }

    private func described(_ error: ClusterError) -> ClusterError {
        guard case .program(let name, let output) = error else { return error }
        let lines = log().split(separator: "\n").suffix(5).joined(separator: "\n")
        return .program(name, output: "\(output)\n\(location.log):\n\(lines)")
    }

    private func write(_ text: String, to path: FilePath) throws {
        try put(text, to: path, options: [.create, .truncate, .noFollow, .closeOnExec])
    }

    private func append(_ text: String, to path: FilePath) throws {
        try put(text, to: path, options: [.create, .append, .noFollow, .closeOnExec])
    }

    private func put(_ text: String, to path: FilePath, options: FileDescriptor.OpenOptions) throws {
        let file = try FileDescriptor.open(path, .writeOnly, options: options, permissions: [.ownerReadWrite])
        try file.closeAfter {
            _ = try file.writeAll(text.utf8)
            if OperatingSystemUser.current.isRoot { fchown(file.rawValue, location.owner.id, location.owner.group) }
        }
    }
}
