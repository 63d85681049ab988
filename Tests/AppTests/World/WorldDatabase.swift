import Postgres
import Synchronization
import TestPostgres
import TestSupport

@testable import App

/// A world's database as a superuser sees it, past the policies. Connections are kept for the next call.
final class WorldDatabase: Sendable {
    private let database: TestDatabase
    private let idle = Mutex<[DedicatedConnection]>([])

    var url: String { database.url }

    init(_ database: TestDatabase) { self.database = database }

    /// Calls `body` with a connection that nobody else uses meanwhile and that has no state of its session.
    func use<R: Sendable>(_ body: (DedicatedConnection) async throws -> R) async throws -> R {
        let connection = try await take()
        do {
            let result = try await body(connection)
            idle.withLock { $0.append(connection) }
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    private func take() async throws -> DedicatedConnection {
        while let connection = idle.withLock({ $0.popLast() }) {
            // A test may have ended all sessions of the database.
            if (try? await connection.execute("discard all")) != nil { return connection }
            await connection.close()
        }
        return try await DedicatedConnection.open(ConnectionConfiguration(url))
    }

    func close() async {
        let connections = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        for connection in connections { await connection.close() }
    }

    /// Closes the connections and drops the database. One that cannot be dropped goes with the cluster.
    func drop() async {
        await close()
        try? await database.drop()
    }

    /// Empties each table but those that a migrated database without users has rows in.
    func empty() async throws {
        try await use { connection in
            try await connection.execute(
                script: """
                    do $$
                    begin
                      execute (select 'truncate ' || string_agg(oid::regclass::text, ', ') from pg_class
                        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
                        and relname not in ('schema_migrations', 'thought_ranks_position', 'outbox_position',
                          'change_log_epoch'));
                    end
                    $$;
                    """)
        }
    }

    /// Writes notifications until none is due.
    static func tell(_ connection: DedicatedConnection) async throws {
        try await eventually("no notification is due, and no older transaction holds one back") {
            let written = try await connection.run(WriteNotifications(batch: 500))
            // None is written while a running server writes them, or while an older transaction runs.
            let isLate = try await connection.execute(
                """
                select exists (select from outbox) or exists (select from change_log c, outbox_position p \
                where (c.xid, c.id) > (p.xid, p.id) and c.counted is distinct from null)
                """)[0].bool(0)
            return written == [0] && !isLate
        }
    }
}
