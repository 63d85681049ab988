import Postgres

/// Removes what has served its time and makes the change log's partitions ahead; safe on several replicas at once.
public struct Housekeeping: Sendable {
    private static let interval: Duration = .seconds(600)
    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    public func run() async {
        while !Task.isCancelled {
            for statement in Self.statements {
                do {
                    _ = try await environment.pools.worker.run(Segment([statement]))
                } catch {
                    environment.logger.warning("housekeeping failed", metadata: ["error": "\(error)"])
                }
            }
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// In small batches: the change log's readers wait for the oldest transaction.
    static let statements: [SQL] = [
        "select make_change_log_partitions(3)",
        "delete from revoked_sessions where expires_at < now()",
        """
        delete from idempotency where ctid = any(array(select ctid from idempotency \
        where created_at < now() - interval '24 hours' limit 500))
        """,
        """
        delete from rate_limits where ctid = any(array(select ctid from rate_limits \
        where at < now() - interval '1 day' limit 500))
        """,
    ]
}
