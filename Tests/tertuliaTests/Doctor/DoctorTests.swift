import Glibc
import Logging
import Postgres
import Subprocess
import SystemPackage
import Testing

@testable import tertulia

/// The checks against a real database.
@Suite struct DoctorTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func aFreshPrivateClusterLacksOnlyItsMigrations() async throws {
        try await TemporaryHome.with { home in
            let configuration = try Configuration(SettingFlags.parse(["--home", home.string]), environment: [:])
            let findings = try await Database.with(configuration, logger: logger) { database in
                let connection = try await DedicatedConnection.open(ConnectionConfiguration(database.administrationURL))
                let found = try await DatabaseChecks(connection: connection, loginRole: "tertulia").findings()
                await connection.close()
                return found
            }
            #expect(
                findings.filter { $0.verdict == .problem }.map(\.subject) == [
                    "Migrations", "Role tertulia_owner", "Role tertulia_trigger",
                ])
            #expect(findings.contains(.fine("Login role tertulia", "no rights of its own")))
        }
    }

    @Test func aSuperusersLoginIsWarnedOf() async throws {
        try await TemporaryHome.with { home in
            let cluster = try await Cluster.open(home: home, logger: logger)
            let connection = try await DedicatedConnection.open(
                ConnectionConfiguration(cluster.url(user: Cluster.superuser)))
            try await connection.execute(script: "alter role tertulia_server bypassrls")
            let findings = try await DatabaseChecks(connection: connection, loginRole: Cluster.superuser).findings()
            #expect(findings.first { $0.subject == "Login role postgres" }?.verdict == .warning)
            #expect(findings.first { $0.subject == "Role tertulia_server" }?.verdict == .problem)
            await connection.close()
            try await cluster.close()
        }
    }
}
