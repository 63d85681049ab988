import Logging
import Postgres

/// Where a command finds its database: what DATABASE_URL names, or the private cluster.
struct Database: Sendable {
    /// The login role of the server's pools.
    let url: String
    /// The role that migrates and looks after the roles: with DATABASE_URL the same one.
    let administrationURL: String
    /// Nil where DATABASE_URL names another PostgreSQL.
    var cluster: Cluster?

    func administration(logger: Logger) -> ConnectionConfiguration {
        var configuration = ConnectionConfiguration(administrationURL)
        configuration.logger = logger
        return configuration
    }

    /// Waits until sessions can be had; the reason why not is logged once.
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

    /// The private cluster, if it is that, runs at least as long as `body`.
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
            // The first error is the one to tell.
            try? await cluster.close()
            throw error
        }
        try await cluster.close()
        return result
    }
}
