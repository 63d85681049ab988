import Postgres
import Testing

@testable import tertulia

@Suite struct MigrateTests {
    /// A server asks for pending migrations as its login role, which has no rights of its own.
    @Test func theLoginRoleReadsTheStatus() async throws {
        try await MigratedDatabase.with { cluster, _ in
            let connection = try await DedicatedConnection.open(ConnectionConfiguration(cluster.url()))
            let status = try await connection.asWorker {
                try await Migrator(Migration.all, connection: $0).status()
            }
            #expect(status.count == Migration.all.count)
            #expect(status.allSatisfy { $0.state != .pending })
            await #expect(throws: PostgresError.self) {
                try await Migrator(Migration.all, connection: connection).status()
            }
            await connection.close()
        }
    }

    @Test func theStatusSaysWhatIsPending() async throws {
        try await TemporaryHome.with { home in
            let cluster = try await Cluster.open(home: home, logger: MigratedDatabase.logger)
            let connection = try await DedicatedConnection.open(
                ConnectionConfiguration(cluster.url(user: Cluster.superuser)))
            let migrator = Migrator(Migration.all, connection: connection)
            #expect(try await migrator.status().map(Migrate.line).first == "pending  1  roles")
            try await migrator.migrate()
            #expect(try await migrator.status().map(Migrate.line).first == "applied  1  roles")
            await connection.close()
            try await cluster.close()
        }
    }

    @Test func doctorFindsAMigratedDatabaseFine() async throws {
        try await MigratedDatabase.with { _, connection in
            let findings = try await DatabaseChecks(connection: connection, loginRole: "tertulia").findings()
            #expect(findings.filter { $0.verdict != .fine } == [])
        }
    }
}
