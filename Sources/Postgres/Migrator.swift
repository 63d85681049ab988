import Glibc
import Logging

/// Applies migrations in order, each in a transaction of its own. One advisory lock keeps other migrators out.
public struct Migrator: Sendable {
    public let migrations: [Migration]
    /// The compatibility number of the release that has these migrations. Each release with new migrations has the next
    /// number. A release also runs on the schema of the release with the number after its own.
    public let compatibility: Int
    /// The former history that `migrate` adopts. In a database with exactly this history, `status` reports all
    /// migrations as pending.
    private let earlier: EarlierHistory?
    private let connection: DedicatedConnection
    private let logger: Logger

    /// "tertulia" as a number: the key of the advisory lock.
    private static let lockKey: Int64 = 0x7465_7274_756C_6961

    public init(
        _ migrations: [Migration], compatibility: Int = 1, adopting earlier: EarlierHistory? = nil,
        connection: DedicatedConnection, logger: Logger = Logger(label: "migrator")
    ) {
        self.migrations = migrations
        self.compatibility = compatibility
        self.earlier = earlier
        self.connection = connection
        self.logger = logger
    }

    /// The state of every known migration, followed by the applied migrations of a newer release. Throws as `migrate`
    /// does.
    public func status() async throws -> [MigrationStatus] {
        let history = try await verifiedHistory()
        let known = migrations.map { migration in
            MigrationStatus(
                version: migration.version, name: migration.name,
                state: history.applied[migration.version].map { .applied(at: $0.appliedAt) } ?? .pending)
        }
        return known
            + history.newer.map {
                MigrationStatus(version: $0.version, name: $0.name, state: .newer(at: $0.appliedAt))
            }
    }

    /// True where the database has the former history, which `migrate` adopts.
    public func isHistoryEarlier() async throws -> Bool { try await verifiedHistory().isEarlier }

    /// True where a newer release has migrated the database. Only that release may then change the database's schema.
    public func isDatabaseNewer() async throws -> Bool { try await !verifiedHistory().newer.isEmpty }

    /// Applies the pending migrations and returns them. With `dryRun` it only checks and returns them. In a database
    /// that a newer release has migrated, it applies none. An adopted migration is returned, but was not run.
    ///
    /// Throws `MigrationError` or `PostgresError`. The SQLSTATE is 55P03 when a migration waited for a lock for more
    /// than 5 seconds, or another migrator held the advisory lock for more than 10 minutes.
    @discardableResult
    public func migrate(dryRun: Bool = false) async throws -> [Migration] {
        if dryRun {
            return try await verifiedHistory().pending(of: migrations)
        }
        // Another migrator may run for long, so only the migrations themselves have the limit of 5 seconds.
        try await connection.execute("select set_config('lock_timeout', '10min', false)")
        try await connection.execute("select pg_advisory_lock(\(Migrator.lockKey))")
        do {
            let applied = try await applyPending()
            try await connection.execute("select pg_advisory_unlock(\(Migrator.lockKey))")
            return applied
        } catch {
            _ = try? await connection.execute("select pg_advisory_unlock(\(Migrator.lockKey))")
            throw error
        }
    }

    private func applyPending() async throws -> [Migration] {
        try await connection.execute("select set_config('lock_timeout', '5s', false)")
        let history = try await verifiedHistory()
        let pending = history.pending(of: migrations)
        guard history.newer.isEmpty, !pending.isEmpty else { return [] }
        try await connection.execute(
            script: """
                create table if not exists schema_migrations (
                    version bigint primary key,
                    name text not null,
                    checksum text not null,
                    applied_at timestamptz not null default now(),
                    duration interval not null);
                -- The compatibility number of the release that applied the migration; null for older rows.
                alter table schema_migrations add column if not exists compatibility integer
                """)
        var adopted = 0
        if let earlier, history.isEarlier {
            try await adopt(earlier)
            adopted = earlier.lastVersion
        }
        for migration in pending where migration.version > adopted { try await apply(migration) }
        return pending
    }

    /// Runs the adoption, and replaces the rows of the former history by those of the migrations, in one transaction.
    private func adopt(_ earlier: EarlierHistory) async throws {
        try await connection.transaction { connection in
            try await connection.execute(script: earlier.adoption)
            try await connection.execute("delete from schema_migrations")
            for migration in migrations where migration.version <= earlier.lastVersion { try await record(migration) }
        }
        logger.notice("adopted a database of an earlier history", metadata: ["version": "\(earlier.lastVersion)"])
    }

    private func apply(_ migration: Migration) async throws {
        let start = Instant.now()
        try await connection.transaction { connection in
            try await connection.execute(script: migration.sql)
            guard try await connection.isInTransaction else {
                throw MigrationError.transactionWasEnded(version: migration.version, name: migration.name)
            }
            try await record(migration)
        }
        let milliseconds = (Instant.now().nanoseconds - start.nanoseconds) / 1_000_000
        logger.info(
            "migrated",
            metadata: [
                "version": "\(migration.version)", "name": "\(migration.name)", "milliseconds": "\(milliseconds)",
            ])
    }

    private func record(_ migration: Migration) async throws {
        try await connection.execute(
            """
            insert into schema_migrations (version, name, checksum, duration, compatibility)
            values (\(migration.version), \(migration.name),
                encode(sha256(convert_to(\(migration.sql), 'UTF8')), 'hex'),
                clock_timestamp() - now(), \(compatibility))
            """)
    }

    // MARK: History

    private struct VerifiedHistory {
        var applied: [Int: AppliedMigration] = [:]
        /// The applied migrations of newer releases with which this one is compatible.
        var newer: [AppliedMigration] = []
        /// True where the database has the `EarlierHistory`; `applied` is then empty.
        var isEarlier = false

        func pending(of migrations: [Migration]) -> [Migration] { migrations.filter { applied[$0.version] == nil } }
    }

    private func verifiedHistory() async throws -> VerifiedHistory {
        for (previous, migration) in zip([0] + migrations.map(\.version), migrations)
        where migration.version <= previous {
            throw MigrationError.versionsAreNotInOrder(version: migration.version)
        }
        var history = VerifiedHistory()
        guard try await connection.run(HistoryExists()).first == true else { return history }
        if let earlier, try await connection.run(Fingerprint()).first == earlier.fingerprint {
            history.isEarlier = true
            return history
        }
        let applied = try await connection.run(History())
        let checksums = try await connection.run(Checksums(texts: migrations.map(\.sql)))
        for row in applied {
            guard let index = migrations.firstIndex(where: { $0.version == row.version }) else {
                guard let other = row.compatibility, other <= compatibility + 1 else {
                    throw MigrationError.databaseIsAhead(version: row.version)
                }
                history.newer.append(row)
                continue
            }
            guard checksums[index] == row.checksum else {
                throw MigrationError.checksumDiffers(version: row.version, name: row.name)
            }
            history.applied[row.version] = row
        }
        return history
    }

    private struct AppliedMigration: Sendable {
        let version: Int
        let name: String
        let checksum: String
        let appliedAt: Timestamp
        let compatibility: Int?
    }

    private struct HistoryExists: Statement {
        var sql: SQL { "select to_regclass('schema_migrations') is not null" }
        func decode(_ row: Row) -> Bool { row.bool(0) }
    }

    private struct History: Statement {
        /// A database from before the column `compatibility` yields null for it.
        var sql: SQL {
            """
            select version, name, checksum, applied_at, (to_jsonb(m) ->> 'compatibility')::int8
            from schema_migrations m order by version
            """
        }
        func decode(_ row: Row) -> AppliedMigration {
            AppliedMigration(
                version: Int(row.int64(0)), name: row.string(1), checksum: row.string(2), appliedAt: row.timestamp(3),
                compatibility: row.int64(optional: 4).map(Int.init))
        }
    }

    private struct Fingerprint: Statement {
        var sql: SQL {
            """
            select encode(sha256(convert_to(coalesce(
                string_agg(concat_ws(' ', version, name, checksum), e'\\n' order by version), ''), 'UTF8')), 'hex')
            from schema_migrations
            """
        }
        func decode(_ row: Row) -> String { row.string(0) }
    }

    /// The server computes the SHA-256, so that this module needs no library for it.
    private struct Checksums: Statement {
        let texts: [String]
        var sql: SQL {
            """
            select encode(sha256(convert_to(text, 'UTF8')), 'hex')
            from unnest(\(texts)) with ordinality as migration (text, version) order by version
            """
        }
        func decode(_ row: Row) -> String { row.string(0) }
    }
}
