import Logging
import Migrations
import Postgres
import SystemPackage

@testable import tertulia

/// A private cluster with every migration applied, for one test.
enum MigratedDatabase {
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    static func with(_ body: (Cluster, DedicatedConnection) async throws -> Void) async throws {
        try await TemporaryHome.with { home in
            let cluster = try await Cluster.open(home: home, logger: logger)
            let connection = try await DedicatedConnection.open(
                ConnectionConfiguration(cluster.url(user: Cluster.superuser)))
            try await Migrator(Migration.all, connection: connection, logger: logger).migrate()
            try await body(cluster, connection)
            await connection.close()
            try await cluster.close()
        }
    }
}
