import Logging
import Postgres

/// The database of a command: the one that DATABASE_URL names, or the private cluster's.
struct Database: Sendable {
    /// The address for the login role of the server's pools.
    let url: String
    /// The address for the role that migrates and administers; with DATABASE_URL it is the same address.
    let administrationURL: String
    /// nil if DATABASE_URL names another PostgreSQL.
    var cluster: Cluster?

    func administration(logger: Logger) -> ConnectionConfiguration {
        var configuration = ConnectionConfiguration(administrationURL)
        configuration.logger = logger
        return configuration
    }

    /// Waits until a session can be opened. The reason for waiting is logged once.
    ///
    /// - Throws: `PostgresError.unavailable` after `limit`.
    func wait(_ limit: Duration, logger: Logger) async throws {
        let deadline = ContinuousClock.now + limit
        var configuration = administration(logger: logger)
        while true {
            do {
                let connection = try await DedicatedConnection.open(configuration)
                return await connection.close()
            } catch PostgresError.unavailable where ContinuousClock.now < deadline {
                if configuration.logger.logLevel < .error {
                    logger.notice("Waiting for the database", metadata: ["seconds": "\(limit.components.seconds)"])
                }
                configuration.logger.logLevel = .error
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    /// Runs `body` with the database. A private cluster runs at least as long as `body`.
    static func with<R>(
        _ configuration: Configuration, logger: Logger, _ body: (Database) async throws -> R
    ) async throws -> R {
        if let url = configuration.databaseURL {
            return try await body(Database(url: url.text, administrationURL: url.text))
        }
        let cluster = try await Cluster.open(home: configuration.home, logger: logger)
        let result: R
        do {
            result = try await body(
                Database(
                    url: cluster.url(), administrationURL: cluster.url(user: Cluster.superuser), cluster: cluster))
        } catch {
            // The first error is thrown, not one of closing.
            try? await cluster.close()
            throw error
        }
        try await cluster.close()
        return result
    }
}
