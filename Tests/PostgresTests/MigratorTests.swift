import Postgres
import TestPostgres
import Testing

@Suite struct MigratorTests {
    private static let migrations = [
        Migration(version: 1, name: "accounts", sql: "create table a (id int); insert into a values (1);"),
        Migration(version: 2, name: "thoughts", sql: "create table b (id int); select pg_sleep(0.1);"),
    ]

    @discardableResult
    private func withMigrator<R: Sendable>(
        on url: String, _ migrations: [Migration] = migrations, compatibility: Int = 1,
        _ body: (Migrator, DedicatedConnection) async throws -> R
    ) async throws -> R {
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(url))
        return try await body(
            Migrator(migrations, compatibility: compatibility, connection: connection), connection)
    }

    @Test func appliesOnce() async throws {
        let url = try await TestPostgres.shared.database().url
        try await withMigrator(on: url) { migrator, connection in
            #expect(try await migrator.status().allSatisfy { $0.state == .pending })
            #expect(try await migrator.migrate(dryRun: true) == Self.migrations)
            let before = try await connection.execute("select to_regclass('a') is null")
            #expect(before[0].bool(0))
            #expect(try await migrator.migrate() == Self.migrations)
            #expect(try await migrator.migrate() == [])
            #expect(try await migrator.migrate(dryRun: true) == [])
            #expect(try await migrator.status().allSatisfy { $0.state != .pending })
            let rows = try await connection.execute(
                "select version, duration >= interval '0.1 second' from schema_migrations order by version")
            #expect(rows.map { $0.int64(0) } == [1, 2] && rows[1].bool(1))
        }
    }

    @Test func twoAtOnceApplyEachOnce() async throws {
        let url = try await TestPostgres.shared.database().url
        async let first = withMigrator(on: url) { migrator, _ in try await migrator.migrate().count }
        async let second = withMigrator(on: url) { migrator, _ in try await migrator.migrate().count }
        let counts = try await [first, second]
        #expect(counts.sorted() == [0, 2])
    }

    @Test func changedMigrationIsRefused() async throws {
        let url = try await TestPostgres.shared.database().url
        try await withMigrator(on: url) { migrator, _ in try await migrator.migrate() }
        var changed = Self.migrations
        changed[0] = Migration(version: 1, name: "accounts", sql: "create table a (id bigint)")
        try await withMigrator(on: url, changed) { migrator, _ in
            let refusal = MigrationError.checksumDiffers(version: 1, name: "accounts")
            await #expect(throws: refusal) { try await migrator.migrate() }
            await #expect(throws: refusal) { try await migrator.migrate(dryRun: true) }
            await #expect(throws: refusal) { try await migrator.status() }
        }
    }

    @Test func databaseThatIsAheadIsRefused() async throws {
        let url = try await TestPostgres.shared.database().url
        try await withMigrator(on: url, compatibility: 3) { migrator, _ in try await migrator.migrate() }
        try await withMigrator(on: url, [Self.migrations[0]]) { migrator, _ in
            let refusal = MigrationError.databaseIsAhead(version: 2)
            await #expect(throws: refusal) { try await migrator.migrate() }
            await #expect(throws: refusal) { try await migrator.migrate(dryRun: true) }
            await #expect(throws: refusal) { try await migrator.status() }
        }
    }

    /// A release before there were numbers left none.
    @Test func anUnknownMigrationWithoutANumberIsRefused() async throws {
        let url = try await TestPostgres.shared.database().url
        try await withMigrator(on: url) { migrator, connection in
            try await migrator.migrate()
            for script in [
                "update schema_migrations set compatibility = null",
                "alter table schema_migrations drop column compatibility",
            ] {
                try await connection.execute(script: script)
                let older = Migrator([Self.migrations[0]], connection: connection)
                await #expect(throws: MigrationError.databaseIsAhead(version: 2)) { try await older.status() }
                // It knows them all.
                #expect(try await migrator.migrate() == [])
                #expect(try await migrator.status().count == 2)
            }
        }
    }

    /// The release before runs on, and restarts, on what the next one has migrated, and leaves it as it is.
    @Test func theReleaseBeforeRunsOnTheNextOnesSchema() async throws {
        let url = try await TestPostgres.shared.database().url
        try await withMigrator(on: url, [Self.migrations[0]], compatibility: 1) { migrator, _ in
            let applied = try await migrator.migrate()
            #expect(applied.count == 1)
            #expect(try await !migrator.isDatabaseNewer())
        }
        try await withMigrator(on: url, compatibility: 2) { migrator, _ in
            let applied = try await migrator.migrate()
            #expect(applied == [Self.migrations[1]])
        }
        try await withMigrator(on: url, [Self.migrations[0]], compatibility: 1) { migrator, connection in
            let dump: SQL = "select string_agg(m::text, ' ' order by version) from schema_migrations m"
            let before = try await connection.execute(dump)[0].string(0)
            #expect(try await migrator.migrate(dryRun: true) == [])
            #expect(try await migrator.migrate() == [])
            #expect(try await migrator.isDatabaseNewer())
            let status = try await migrator.status()
            #expect(status.map(\.version) == [1, 2])
            let isNewer = if case .newer = status[1].state { true } else { false }
            #expect(isNewer)
            #expect(try await connection.execute(dump)[0].string(0) == before)
            // A gap is not this release's to fill, and is said.
            let gap = Migrator(
                [Self.migrations[0], Migration(version: 3, name: "x", sql: "create table x ()")], connection: connection
            )
            #expect(try await gap.migrate() == [])
            #expect(try await gap.migrate(dryRun: true).map(\.version) == [3])
        }
        // Edited is edited, whoever is newer.
        let edited = [Migration(version: 1, name: "accounts", sql: "create table a ()")]
        try await withMigrator(on: url, edited, compatibility: 1) { migrator, _ in
            await #expect(throws: MigrationError.checksumDiffers(version: 1, name: "accounts")) {
                try await migrator.migrate()
            }
        }
    }

    @Test func failedMigrationLeavesNothing() async throws {
        let url = try await TestPostgres.shared.database().url
        let failing = [
            Self.migrations[0], Migration(version: 2, name: "bad", sql: "create table c (id int); select 1 / 0;"),
        ]
        try await withMigrator(on: url, failing) { migrator, connection in
            await #expect(throws: PostgresError.self) { try await migrator.migrate() }
            let rows = try await connection.execute("select to_regclass('a') is null, to_regclass('c') is null")
            #expect(!rows[0].bool(0) && rows[0].bool(1))
            let status = try await migrator.status()
            #expect(status[0].state != .pending && status[1].state == .pending)
            let locks = try await connection.execute(
                "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()")
            #expect(locks[0].int64(0) == 0)
        }
    }

    @Test func ownCommitIsRefused() async throws {
        let url = try await TestPostgres.shared.database().url
        try await withMigrator(on: url, [Migration(version: 1, name: "x", sql: "commit")]) { migrator, _ in
            await #expect(throws: MigrationError.transactionWasEnded(version: 1, name: "x")) {
                try await migrator.migrate()
            }
        }
    }

    @Test func disorderIsRefused() async throws {
        let url = try await TestPostgres.shared.database().url
        for migrations in [Self.migrations.reversed(), [Self.migrations[0], Self.migrations[0]]] {
            try await withMigrator(on: url, migrations) { migrator, _ in
                await #expect(throws: MigrationError.versionsAreNotInOrder(version: 1)) {
                    try await migrator.migrate()
                }
            }
        }
    }

    /// Two branches of development meet: what one of them numbered lower comes later.
    @Test func aGapIsFilled() async throws {
        let url = try await TestPostgres.shared.database().url
        let first = try await withMigrator(on: url, [Self.migrations[1]]) { migrator, _ in try await migrator.migrate()
        }
        let second = try await withMigrator(on: url) { migrator, _ in try await migrator.migrate() }
        let third = try await withMigrator(on: url) { migrator, _ in try await migrator.migrate() }
        #expect([first, second, third] == [[Self.migrations[1]], [Self.migrations[0]], []])
    }
}
