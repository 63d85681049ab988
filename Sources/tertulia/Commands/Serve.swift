import App
import ArgumentParser
import Logging
import Migrations
import Postgres

struct Serve: SettingsCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the API, until SIGTERM or SIGINT; what is in flight is finished first.")

    @OptionGroup var flags: SettingFlags

    @Flag(help: "Apply the migrations that are new before serving; the private cluster is always migrated.")
    var migrate = false

    func run(_ configuration: Configuration, logger: Logger) async throws {
        try await Database.with(configuration, logger: logger) { database in
            if migrate || configuration.databaseURL == nil {
                let connection = try await DedicatedConnection.open(database.administration(logger: logger))
                try await Migrator(Migration.all, connection: connection, logger: logger).migrate()
                try await ChangeLogOrigin.adopt(connection)
                await connection.close()
            } else {
                try await refusePending(database, logger: logger)
            }
            try await Server(configuration, database: database, logger: logger).run()
        }
    }

    private func refusePending(_ database: Database, logger: Logger) async throws {
        let connection = try await DedicatedConnection.open(database.administration(logger: logger))
        let pending = try await Migrator(Migration.all, connection: connection, logger: logger).migrate(dryRun: true)
        if !pending.isEmpty { throw PendingMigrations(names: pending.map(\.name)) }
        if try await ChangeLogOrigin.isForeign(connection) { throw RestoredDatabase() }
        await connection.close()
    }
}

struct RestoredDatabase: Error, CustomStringConvertible {
    var description: String {
        "The database came out of a backup of another: run tertulia migrate, or serve --migrate."
    }
}

struct PendingMigrations: Error, CustomStringConvertible {
    let names: [String]

    var description: String {
        "The database lacks the migrations \(names.joined(separator: ", ")): run tertulia migrate, or serve --migrate."
    }
}
