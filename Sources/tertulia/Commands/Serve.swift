import App
import ArgumentParser
import ChangeFeed
import GraphQLTransport
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
        // Settings are checked before anything is started or changed.
        try AddressSpace.check()
        try configuration.checkMail()
        let trustedDocuments = try configuration.readTrustedDocuments()
        _ = try configuration.readAPNsCredentials()
        let addresses = try Listening(configuration, logger: logger)
        Descriptors.raiseLimit()

        try await Database.with(configuration, logger: logger) { database in
            try await database.wait(.seconds(configuration.waitForDatabase), logger: logger)
            let connection = try await DedicatedConnection.open(database.administration(logger: logger))
            if migrate || configuration.databaseURL == nil {
                let migrator = Migrator.ofThisRelease(connection, logger: logger)
                try await migrator.migrate()
                if try await !migrator.isDatabaseNewer() {
                    try await ChangeLogOrigin.adopt(connection)
                    for problem in try await StoredAddresses.unify(connection).problems { logger.warning("\(problem)") }
                }
            }
            try await PendingMigrations.refuse(connection, logger: logger)
            if try await ChangeLogOrigin.isForeign(connection) { throw RestoredDatabase() }
            await connection.close()
            try await Server(
                configuration, database: database, trustedDocuments: trustedDocuments, addresses: addresses,
                logger: logger
            ).run()
        }
    }
}

struct RestoredDatabase: Error, CustomStringConvertible {
    var description: String {
        "The database came out of a backup of another: run tertulia migrate, or serve --migrate."
    }
}

struct PendingMigrations: Error, Equatable, CustomStringConvertible {
    let names: [String]
    /// The database has other migrations, which `migrate` replaces by these.
    var isHistoryEarlier = false

    /// - Throws: `PendingMigrations` if the database lacks a migration of this release.
    static func refuse(_ connection: DedicatedConnection, logger: Logger) async throws {
        try await connection.asWorker { connection in
            let migrator = Migrator.ofThisRelease(connection, logger: logger)
            let pending = try await migrator.migrate(dryRun: true)
            if pending.isEmpty { return }
            throw PendingMigrations(
                names: pending.map(\.name), isHistoryEarlier: try await migrator.isHistoryEarlier())
        }
    }

    var description: String {
        if isHistoryEarlier { return "The database is of an earlier history: run tertulia migrate first." }
        return names.count == Migration.all.count
            ? "The database is empty: run tertulia migrate first."
            : "The database lacks the migrations \(names.joined(separator: ", ")): run tertulia migrate first, or serve --migrate."
    }
}
