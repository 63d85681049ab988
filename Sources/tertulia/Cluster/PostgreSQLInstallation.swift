import FoundationEssentials
import Subprocess
import SystemPackage

/// A directory with PostgreSQL's server programs (initdb, pg_ctl, postgres).
struct PostgreSQLInstallation: Sendable, Equatable {
    let programs: FilePath
    let major: Int
    /// As in the server's `server_version`: `15.18 (Debian 15.18-0+deb12u1)`.
    let version: String

    /// Searches Debian's directories, newest version first, then the directory of `pg_config --bindir`, then PATH.
    ///
    /// - Parameter major: the version that an existing data directory needs; nil for the first that is found.
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

    /// nil unless `postgres --version` prints a version.
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

    /// The version in a text such as `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)` or `postgres (PostgreSQL)
    /// 17beta1`.
    static func version(in text: String) -> String? {
        guard let marker = text.firstRange(of: "(PostgreSQL) ") else { return nil }
        return String(text[marker.upperBound...]).trimmingLineEnd
    }
}

extension String {
    fileprivate var trimmingLineEnd: String { last == "\n" ? String(dropLast()) : self }
}
