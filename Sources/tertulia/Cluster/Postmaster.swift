import FoundationEssentials
import Glibc
import SystemPackage

/// The postmaster of a data directory, as its `postmaster.pid` describes it.
///
/// PostgreSQL, src/include/utils/pidfile.h: process id, data directory, start time, port, socket directory,
/// listen address, shared memory key, status.
struct Postmaster: Sendable, Equatable {
    let process: pid_t
    let port: Int
    let socketDirectory: FilePath
    let isReady: Bool

    static func pidFile(_ data: FilePath) -> FilePath { data.appending("postmaster.pid") }

    /// Parses the file. The process may have ended.
    init?(pidFile text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 5, let process = pid_t(lines[0]), let port = Int(lines[3]), process > 0, !lines[4].isEmpty
        else { return nil }
        self.process = process
        self.port = port
        self.socketDirectory = FilePath(String(lines[4]))
        self.isReady = lines.count >= 8 && lines[7].hasPrefix("ready")
    }

    static func recorded(in data: FilePath) -> Postmaster? {
        guard let text = try? String(contentsOfFile: pidFile(data).string, encoding: .utf8) else { return nil }
        return Postmaster(pidFile: text)
    }

    /// The running postmaster of this data directory; nil if none runs.
    static func running(in data: FilePath) -> Postmaster? {
        recorded(in: data).flatMap { $0.isAlive(in: data) ? $0 : nil }
    }

    /// True if the process is alive and is the postmaster. After a restart of the machine another process may have its
    /// id.
    func isAlive(in data: FilePath) -> Bool {
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        // proc(5), /proc/PID/stat: "4711 (postgres) S …". A killed process remains as a zombie until its parent waits
        // for it.
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        guard let status, status.hasPrefix("\(process) (postgres) "), !status.hasPrefix("\(process) (postgres) Z")
        else { return false }
        // The directory of another user's process is readable only with CAP_SYS_PTRACE; without it the name has to
        // suffice.
        guard let directory = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")
        else { return true }
        return directory == Self.resolved(data)
    }

    /// Removes a `postmaster.pid` whose id now belongs to another process or to a zombie, because PostgreSQL would
    /// refuse to start. The data stay protected: PostgreSQL recognises remaining backends by their shared memory, not
    /// by this file.
    static func removeMisleadingFile(in data: FilePath) {
        guard let recorded = recorded(in: data), kill(recorded.process, 0) == 0 || errno == EPERM,
            !recorded.isAlive(in: data)
        else { return }
        unlink(pidFile(data).string)
    }

    private static func resolved(_ path: FilePath) -> String {
        guard let resolved = realpath(path.string, nil) else { return path.string }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
