import App
import ArgumentParser
import ChangeFeed
import Logging
import Migrations
import Postgres

struct Migrate: SettingsCommand {
    static let configuration = CommandConfiguration(
        abstract: "Apply the migrations that are new, in order, under an advisory lock.")

    @OptionGroup var flags: SettingFlags

    @Flag(help: "Say what would be applied, and apply nothing.") var dryRun = false
    @Flag(help: "List every migration, applied or pending.") var status = false
    @Flag(help: "Print what the database is like, table by table (migrations/structure.sql), and apply nothing.")
    var printStructure = false

    func run(_ configuration: Configuration, logger: Logger) async throws {
        try await Database.with(configuration, logger: logger) { database in
            let connection = try await DedicatedConnection.open(database.administration(logger: logger))
            let migrator = Migrator.ofThisRelease(connection, logger: logger)
            if printStructure {
                print(try await DatabaseStructure(connection).text, terminator: "")
            } else if status {
                let status = try await connection.asWorker { _ in try await migrator.status() }
                for migration in status { print(Self.line(migration)) }
            } else {
                let migrations = try await migrator.migrate(dryRun: dryRun)
                for migration in migrations {
                    print("\(dryRun ? "pending" : "applied")  \(migration.version)  \(migration.name)")
                }
                if try await migrator.isDatabaseNewer() {
                    print("A newer release has migrated this database: nothing is changed.")
                } else {
                    if migrations.isEmpty { print("Nothing to apply.") }
                    if !dryRun {
                        if try await ChangeLogOrigin.adopt(connection) {
                            print("The database came out of a backup: its change log begins anew.")
                        }
                        let addresses = try await StoredAddresses.unify(connection)
                        if addresses.changed > 0 {
                            print("E-mail addresses brought into their form: \(addresses.changed)")
                        }
                        for problem in addresses.problems { print(problem) }
                    }
                }
            }
            await connection.close()
        }
    }

    static func line(_ migration: MigrationStatus) -> String {
        let state =
            switch migration.state {
            case .pending: "pending"
            case .applied: "applied"
            case .newer: "newer"
            }
        return "\(state)  \(migration.version)  \(migration.name)"
    }
}

extension DedicatedConnection {
    /// Runs `body` in the role that may read which migrations are applied, if the login role may take it.
    func asWorker<R: Sendable>(_ body: (DedicatedConnection) async throws -> R) async throws -> R {
        try await transaction { connection in
            try await connection.execute(
                """
                select set_config('role', 'tertulia_worker', true) from pg_roles
                where rolname = 'tertulia_worker' and pg_has_role(oid, 'member')
                """)
            return try await body(connection)
        }
    }
}

extension Migration {
    /// The migrations that are embedded in this executable.
    static let all = MigrationSources.all.map { Migration(version: $0.version, name: $0.name, sql: $0.sql) }
}

extension Migrator {
    static func ofThisRelease(_ connection: DedicatedConnection, logger: Logger) -> Migrator {
        let adoption = MigrationSources.adoption
        return Migrator(
            Migration.all, compatibility: MigrationSources.compatibility,
            adopting: EarlierHistory(
                fingerprint: adoption.fingerprint, lastVersion: adoption.lastVersion, adoption: adoption.sql),
            connection: connection, logger: logger)
    }
}

extension MigrationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .checksumDiffers(let version, let name):
            "Migration \(version) (\(name)) is not the one that was applied: migrations are never edited once applied."
        case .databaseIsAhead(let version):
            "The database has migration \(version), of a release that this executable is too old for: use a newer one."
        case .versionsAreNotInOrder(let version):
            "Migration \(version) is out of order."
        case .transactionWasEnded(let version, let name):
            "Migration \(version) (\(name)) ended its own transaction."
        }
    }
}
