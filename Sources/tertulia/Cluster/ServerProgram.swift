import Subprocess
import SystemPackage

/// Runs PostgreSQL's programs as the cluster's owner: they refuse root.
struct ServerProgram: Sendable {
    let installation: PostgreSQLInstallation
    let owner: OperatingSystemUser

    /// - Returns: standard output.
    /// - Throws: `ClusterError.program` with what the program said.
    @discardableResult
    func callAsFunction(_ name: String, _ arguments: [String], input: String = "") async throws -> String {
        let answer = try await run(
            .path(installation.programs.appending(name)),
            arguments: Arguments(arguments),
            // PG* variables and a locale of the caller would change what the programs do.
            environment: .custom(["PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"]),
            workingDirectory: "/",
            platformOptions: owner.platformOptions,
            input: .string(input),
            output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20))
        guard answer.terminationStatus.isSuccess else {
            throw ClusterError.program(name, output: answer.standardError + answer.standardOutput)
        }
        return answer.standardOutput
    }
}

extension OperatingSystemUser {
    var platformOptions: PlatformOptions {
        var options = PlatformOptions()
        guard self != .current else { return options }
        options.userID = id
        options.groupID = group
        options.supplementaryGroups = groups
        return options
    }

    /// Whether this user can enter the directory: asked of the kernel, since modes alone do not tell (ACLs, mounts).
    func canEnter(_ directory: FilePath) async -> Bool {
        let answer = try? await run(
            .path("/usr/bin/test"), arguments: ["-x", directory.string], workingDirectory: "/",
            platformOptions: platformOptions, output: .discarded)
        return answer?.terminationStatus.isSuccess ?? false
    }
}
