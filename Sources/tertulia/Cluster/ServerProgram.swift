import Subprocess
import SystemPackage

/// Runs PostgreSQL's programs as the cluster's owner, because they refuse to run as root.
struct ServerProgram: Sendable {
    let installation: PostgreSQLInstallation
    let owner: OperatingSystemUser

    /// - Returns: the program's standard output.
    /// - Throws: `ClusterError.program` with the program's output, or Subprocess's error if the program cannot be run.
    @discardableResult
    func callAsFunction(_ name: String, _ arguments: [String], input: String = "") async throws -> String {
        let answer = try await run(
            owner.command(installation.programs.appending(name), arguments),
            input: .string(input), output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        guard answer.terminationStatus.isSuccess else {
            throw ClusterError.program(name, output: answer.standardError + answer.standardOutput)
        }
        return answer.standardOutput
    }
}

extension OperatingSystemUser {
    /// The configuration to run a program as this user, in an environment without the caller's PG* variables and
    /// locale.
    ///
    /// setpriv(1) changes the user after exec, because setgroups(2) between fork and exec would wait for threads that
    /// the child does not have.
    func command(_ program: FilePath, _ arguments: [String]) -> Subprocess.Configuration {
        let isOther = self != .current
        let groups = hasEntry ? "--init-groups" : "--clear-groups"
        let words = ["--reuid=\(id)", "--regid=\(group)", groups, "--", program.string] + arguments
        return Subprocess.Configuration(
            executable: .path(isOther ? "/usr/bin/setpriv" : program),
            arguments: Arguments(isOther ? words : arguments),
            environment: .custom(["PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"]),
            workingDirectory: "/")
    }

    /// True if this user can enter the directory. The kernel is asked, because ACLs and mounts matter as well as modes.
    func canEnter(_ directory: FilePath) async -> Bool {
        let answer = try? await run(command("/usr/bin/test", ["-x", directory.string]), output: .discarded)
        return answer?.terminationStatus.isSuccess ?? false
    }
}
