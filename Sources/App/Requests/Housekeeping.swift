import Postgres

/// Removes what has served its time and makes the change log's partitions ahead; safe on several replicas at once.
public struct Housekeeping: Sendable {
    private static let interval: Duration = .seconds(600)
    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    public func run() async {
        while !Task.isCancelled {
            await sweep()
            try? await Task.sleep(for: Self.interval)
        }
    }

    func sweep() async {
        for statement in Self.statements {
            do {
                var touched: Int
                repeat {
                    touched = try await environment.pools.worker.run(Segment([statement])).first?.affected ?? 0
                } while touched >= Int(Self.batchSize) && !Task.isCancelled
            } catch {
                environment.logger.warning("housekeeping failed", metadata: ["error": "\(error)"])
            }
        }
    }

    private static let batchSize: Int64 = 500

    /// In batches: the change log's readers wait for the oldest transaction.
    static let statements: [SQL] = [
        "select make_change_log_partitions(3)",
        """
        delete from revoked_sessions where session_id = any(array(select session_id from revoked_sessions \
        where expires_at < now() limit \(batchSize)))
        """,
        """
        delete from idempotency where ctid = any(array(select ctid from idempotency \
        where created_at < now() - interval '24 hours' limit \(batchSize)))
        """,
        """
        delete from rate_limits where ctid = any(array(select ctid from rate_limits \
        where at < now() - interval '1 day' limit \(batchSize)))
        """,
    ]
}
