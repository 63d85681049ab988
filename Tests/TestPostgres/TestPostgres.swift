import Glibc
import Postgres
import Synchronization

/// A PostgreSQL for tests: the one that TERTULIA_TEST_DATABASE_URL names, or a throwaway cluster of its own.
public final class TestPostgres: Sendable {
    public static let shared = TestPostgres()

    private let server = Mutex<ThrowawayCluster?>(nil)
    private let number = Atomic<Int>(0)

    /// The connection string of a superuser to the database `postgres`.
    public func administration() throws -> String {
        if let url = getenv("TERTULIA_TEST_DATABASE_URL") { return String(cString: url) }
        return try server.withLock { server in
            if let server { return server.connectionString }
            let started = try ThrowawayCluster.start()
            server = started
            started.stopAtExit()
            return started.connectionString
        }
    }

    /// A fresh database: empty, or a copy of `template`, the name of a database whose sessions end here.
    public func database(copying template: String = "template0") async throws -> TestDatabase {
        let administration = try administration()
        let number = number.add(1, ordering: .relaxed).newValue
        let name = "test_\(getpid())_\(number)"
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(administration))
        if number == 1 { try await dropLeftovers(connection) }
        try await connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = \(template)")
        // The default strategy, `wal_log`, writes each block of the copy to the write-ahead log, too.
        try await connection.execute(script: "create database \(name) template \(template) strategy file_copy")
        await connection.close()
        return TestDatabase(name: name, administration: administration)
    }

    /// Drops the databases of earlier test runs. What this one leaves goes with the cluster, or with the next run.
    private func dropLeftovers(_ connection: DedicatedConnection) async throws {
        let names = try await connection.execute("select datname::text from pg_database where datname like 'test\\_%'")
        for name in names.map({ $0.string(0) }) {
            let parts = name.split(separator: "_")
            guard parts.count == 3, let owner = pid_t(parts[1]), !ThrowawayCluster.isRunning(owner) else { continue }
            try await connection.execute(script: "drop database if exists \(name) with (force)")
        }
    }
}
