import Auth
import Postgres

/// Removes what has served its time and makes the change log's partitions ahead; safe on several replicas at once.
public struct Housekeeping: Sendable {
    private static let interval: Duration = .seconds(600)
    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    public func run() async {
        await environment.worker("housekeeping", every: Self.interval) {
            await sweep()
            return .afterInterval
        }.run()
    }

    func sweep() async {
        do {
            // What is dropped from the log must have been applied.
            try await ThoughtRanks(environment).refresh(lease: 0)
            let news = TellNews(batch: Telling.batchSize)
            // There is always something to tell while people write: less than a batch is what they wrote just now.
            while try await environment.pools.worker.run(news).first ?? 0 >= Telling.batchSize {}
            while try await environment.pools.worker.run(DropChangeLogPartition()).first ?? 0 > 0 {}
        } catch {
            warn(error)
        }
        do {
            // An image's contents go in the same sweep, unless another has them too.
            while try await environment.pools.worker.run(SweepImages()).first ?? 0 > 0 {}
            while try await environment.pools.worker.run(SweepImageContents()).first ?? 0 > 0 {}
        } catch {
            warn(error)
        }
        for statement in Self.statements {
            do {
                var touched: Int
                repeat {
                    touched = try await environment.pools.worker.run(Segment([statement])).first?.affected ?? 0
                } while touched >= Int(Self.batchSize) && !Task.isCancelled
            } catch {
                warn(error)
            }
        }
    }

    private func warn(_ error: any Error) {
        environment.warn("housekeeping failed", error)
    }

    private static let batchSize: Int64 = 500

    /// In batches: the change log's readers wait for the oldest transaction.
    static let statements: [SQL] = [
        "select make_change_log_partitions(3)",
        """
        delete from change_log_default where ctid = any(array(select ctid from change_log_default \
        where at < now() - make_interval(days => \(DropChangeLogPartition.days)) limit \(batchSize)))
        """,
        """
        delete from revoked_sessions where session_id = any(array(select session_id from revoked_sessions \
        where expires_at < now() limit \(batchSize)))
        """,
        // Whose refresh tokens are accepted no more.
        """
        delete from sessions where id = any(array(select id from sessions \
        where created_at < now() - make_interval(secs => \(lifetimes.idle)) \
        and (rotated_at < now() - make_interval(secs => \(lifetimes.idle)) \
        or created_at < now() - make_interval(secs => \(lifetimes.absolute))) limit \(batchSize)))
        """,
        "delete from sessions where id = any(array(select id from sessions where revoked_at < now() limit \(batchSize)))",
        """
        delete from idempotency where ctid = any(array(select ctid from idempotency \
        where created_at < now() - interval '24 hours' limit \(batchSize)))
        """,
        """
        delete from rate_limits where ctid = any(array(select ctid from rate_limits \
        where at < now() - interval '1 day' limit \(batchSize)))
        """,
        """
        delete from sign_in_attempts where ctid = any(array(select ctid from sign_in_attempts \
        where last_at < now() - interval '1 day' limit \(batchSize)))
        """,
        """
        delete from activity_marks where ctid = any(array(select ctid from activity_marks \
        where hour < now() - interval '400 days' limit \(batchSize)))
        """,
        // What a device still rings for is queued no longer than that.
        """
        delete from push_receipts where ctid = any(array(select ctid from push_receipts \
        where at < now() - interval '1 day' limit \(batchSize)))
        """,
        """
        delete from one_time_tokens where hash = any(array(select hash from one_time_tokens \
        where expires_at < now() limit \(batchSize)))
        """,
    ]

    private static let lifetimes = (
        idle: Double(RefreshRotation().idleLifetime), absolute: Double(RefreshRotation().absoluteLifetime)
    )
}

struct DropChangeLogPartition: Statement {
    /// How long changes are kept.
    static let days: Int32 = 7

    var sql: SQL { "select drop_change_log_partition(\(Self.days))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}
