import ArgumentParser
import Glibc
import Logging
import Postgres

struct Doctor: SettingsCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is missing and how to mend it; exit 1 if the server could not run.")

    @OptionGroup var flags: SettingFlags

    func run(_ configuration: Configuration, logger: Logger) async throws {
        var findings = MachineChecks(configuration: configuration).findings()
        findings += await databaseFindings(configuration, logger: logger)
        print(findings.map(\.lines).joined(), terminator: "")
        if findings.contains(where: { $0.verdict == .problem }) { throw ExitCode.failure }
    }

    private func databaseFindings(_ configuration: Configuration, logger: Logger) async -> [Finding] {
        var findings: [Finding] = []
        if configuration.databaseURL == nil {
            guard let installation = await PostgreSQLInstallation.find() else {
                return [
                    .problem(
                        "PostgreSQL's programs", "not in /usr/lib/postgresql, by pg_config or on PATH",
                        remedy: "apt-get install postgresql, or set DATABASE_URL to a server that runs")
                ]
            }
            findings.append(
                .fine("PostgreSQL's programs", "version \(installation.version) in \(installation.programs)"))
            guard ClusterLocation.existing(home: configuration.home) else {
                return findings + [.fine("Private cluster", "not made yet: serve and migrate make it")]
            }
        }
        do {
            findings += try await Database.with(configuration, logger: logger) { database in
                let connection = try await DedicatedConnection.open(database.administration(logger: logger))
                let login = try await DedicatedConnection.open(ConnectionConfiguration(database.url))
                let role = try await login.one("select session_user::text") { $0.string(0) }
                await login.close()
                let found = try await DatabaseChecks(connection: connection, loginRole: role).findings()
                await connection.close()
                return found
            }
        } catch {
            findings.append(
                .problem(
                    "Database", "\(error)",
                    remedy: "is the server up, and is DATABASE_URL right? psql \"$DATABASE_URL\" says more"))
        }
        return findings
    }
}
