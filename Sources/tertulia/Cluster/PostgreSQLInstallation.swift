import FoundationEssentials
import Subprocess
import SystemPackage

/// A directory with PostgreSQL's server programs (initdb, pg_ctl, postgres).
struct PostgreSQLInstallation: Sendable, Equatable {
    let programs: FilePath
    let major: Int
    /// As the server's `server_version` has it: `15.18 (Debian 15.18-0+deb12u1)`.
    let version: String

    /// Debian's directories with the newest first, then what `pg_config --bindir` says, then PATH.
    ///
    /// - Parameter major: the version that an existing data directory needs; nil for the newest.
    static func find(major: Int? = nil, path: String? = nil) async -> PostgreSQLInstallation? {
        var candidates = debianDirectories()
        if let directory = await pgConfigDirectory() { candidates.append(directory) }
        let path = path ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
        candidates += path.split(separator: ":").map { FilePath(String($0)) }
        for directory in candidates where isComplete(directory) {
            guard let found = await PostgreSQLInstallation(programs: directory), major == nil || found.major == major
            else { continue }
            return found
        }
        return nil
    }

    private static func debianDirectories() -> [FilePath] {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap(Int.init).sorted(by: >).map { FilePath("\(root)/\($0)/bin") }
    }

    private static func isComplete(_ directory: FilePath) -> Bool {
        ["initdb", "pg_ctl", "postgres"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: directory.appending($0).string)
        }
    }

    private static func pgConfigDirectory() async -> FilePath? {
        let answer = try? await run(.name("pg_config"), arguments: ["--bindir"], output: .string(limit: 4096))
        guard let answer, answer.terminationStatus.isSuccess else { return nil }
        return FilePath(answer.standardOutput.trimmingLineEnd)
    }

    /// nil where `postgres --version` says nothing that is one.
    init?(programs: FilePath) async {
        let answer = try? await run(
            .path(programs.appending("postgres")), arguments: ["--version"], output: .string(limit: 4096))
        guard let answer, answer.terminationStatus.isSuccess, let version = Self.version(in: answer.standardOutput),
            let major = Int(version.prefix { $0.isASCII && $0.isNumber })
        else { return nil }
        self.programs = programs
        self.major = major
        self.version = version
    }

    /// `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`, `postgres (PostgreSQL) 17beta1`
    static func version(in text: String) -> String? {
        guard let marker = text.firstRange(of: "(PostgreSQL) ") else { return nil }
        return String(text[marker.upperBound...]).trimmingLineEnd
    }
}

extension String {
    fileprivate var trimmingLineEnd: String { last == "\n" ? String(dropLast()) : self }
}
