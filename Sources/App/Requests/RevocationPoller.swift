import Postgres

/// Reads the revoked sessions twice a second, so that a revocation takes effect on every replica within a second.
public struct RevocationPoller: Sendable {
    private static let interval: Duration = .milliseconds(500)

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Reads the set once. A replica does so before it is ready.
    public func poll() async throws {
        let now = environment.now().unixMilliseconds
        let rows = try await environment.pools.worker.run(RevokedSessionRows())
        environment.revokedSessions.replace(
            with: Dictionary(rows, uniquingKeysWith: { first, _ in first }), asOf: now)
    }

    /// Runs until the task is cancelled. While the set cannot be read, it becomes too old. Each request with a viewer
    /// then asks the database, and fails with UNAVAILABLE if the database cannot be reached.
    public func run() async {
        // A failure does not lengthen the pause, because the server is not ready until the set has been read.
        await environment.worker("revoked sessions", every: Self.interval, longestPause: Self.interval) {
            try await poll()
            return .afterInterval
        }.run()
    }
}

struct RevokedSessionRows: Statement {
    var sql: SQL { "select session_id, expires_at from revoked_sessions where expires_at > now()" }

    func decode(_ row: Row) -> (String, Int64) {
        (TypeID(.session, row.uuid(0)).description, row.timestamp(1).unixMilliseconds)
    }
}
