import FoundationEssentials
import Subprocess
import SystemPackage

/// A directory with PostgreSQL's server programs (initdb, pg_ctl, postgres).
struct PostgreSQLInstallation: Sendable, Equatable {
    let programs: FilePath
    let major: Int

    /// Debian's directories with the newest first, then what `pg_config --bindir` says, then PATH.
    ///
    /// - Parameter major: the version that an existing data directory needs; nil for the newest.
    static func find(major: Int? = nil, path: String? = nil) async -> PostgreSQLInstallation? {
        var candidates = debianDirectories()
        if let directory = await pgConfigDirectory() { candidates.append(directory) }
        let path = path ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
        candidates += path.split(separator: ":").map { FilePath(String($0)) }
        for directory in candidates where isComplete(directory) {
            guard let version = await version(of: directory), major == nil || version == major else { continue }
            return PostgreSQLInstallation(programs: directory, major: version)
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

    /// `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`, `postgres (PostgreSQL) 17beta1`
    private static func version(of directory: FilePath) async -> Int? {
        let answer = try? await run(
            .path(directory.appending("postgres")), arguments: ["--version"], output: .string(limit: 4096))
        guard let answer, answer.terminationStatus.isSuccess else { return nil }
        return majorVersion(in: answer.standardOutput)
    }

    static func majorVersion(in text: String) -> Int? {
        guard let marker = text.firstRange(of: "(PostgreSQL) ") else { return nil }
        return Int(text[marker.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }
}

extension String {
    fileprivate var trimmingLineEnd: String { last == "\n" ? String(dropLast()) : self }
}
