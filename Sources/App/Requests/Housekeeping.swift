import Auth
import ChangeFeed
import Postgres

/// Deletes expired rows and creates the change log's partitions ahead of time. Several replicas may run housekeeping at
/// once.
public struct Housekeeping: Sendable {
    private static let interval: Duration = .seconds(600)
    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Sweeps every ten minutes until the task is cancelled.
    public func run() async {
        await environment.worker("housekeeping", every: Self.interval) {
            await sweep()
            return .afterInterval
        }.run()
    }

    func sweep() async {
        do {
            // Ranks and notifications are made from the log's rows, so both are brought up to date before rows are
            // dropped.
            try await ThoughtRanks(environment).refresh(lease: 0)
            let write = WriteNotifications(batch: NotificationWorker.batchSize)
            // The loop ends with a batch that is not full, because the outbox is never empty for long while people
            // write.
            while try await environment.pools.worker.run(write).first ?? 0 >= NotificationWorker.batchSize {}
            while try await environment.pools.worker.run(DropChangeLogPartition()).first ?? 0 > 0 {}
        } catch {
            warn(error)
        }
        do {
            // Images are deleted first, so that their contents are deleted in the same run, unless another image has
            // the same contents.
            while try await environment.pools.worker.run(SweepImages()).first ?? 0 > 0 {}
            while try await environment.pools.worker.run(SweepImageContents()).first ?? 0 > 0 {}
        } catch {
            warn(error)
        }
        for statement in Self.statements {
            do {
                var touched: Int
                repeat {
                    touched = try await environment.pools.worker.retrying(Segment([statement])).first?.affected ?? 0
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

    /// The statements of a run. They delete in batches, because the change log's readers wait for the oldest
    /// transaction.
    static let statements: [SQL] = [
        "select make_change_log_partitions(3)",
        """
        delete from change_log_default where ctid = any(array(select ctid from change_log_default \
        where at < now() - make_interval(days => \(ChangeLog.keptDays)) limit \(batchSize)))
        """,
        """
        delete from revoked_sessions where session_id = any(array(select session_id from revoked_sessions \
        where expires_at < now() limit \(batchSize)))
        """,
        // Sessions whose refresh tokens have expired.
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
        // Push registrations without a session. All others go with their sessions.
        """
        delete from push_devices where id = any(array(select d.id from push_devices d \
        where d.session_id is null and \(unsafe: PushDevice.end) < now() limit \(batchSize)))
        """,
        // A push message is queued for less than a day.
        """
        delete from push_receipts where ctid = any(array(select ctid from push_receipts \
        where at < now() - interval '1 day' limit \(batchSize)))
        """,
        """
        delete from one_time_tokens where hash = any(array(select hash from one_time_tokens \
        where expires_at < now() limit \(batchSize)))
        """,
        // A transaction that gives the id again has a higher number than the deletion by now. The number is compared once
        // more, because the object may have been deleted again since it was selected.
        """
        delete from deleted_objects where id = any(array(select id from deleted_objects \
        where changed_in < pg_snapshot_xmin(pg_current_snapshot()) limit \(batchSize))) \
        and changed_in < pg_snapshot_xmin(pg_current_snapshot())
        """,
    ]

    private static let lifetimes = (
        idle: Double(RefreshRotation().idleLifetime), absolute: Double(RefreshRotation().absoluteLifetime)
    )
}

struct DropChangeLogPartition: Statement {
    var sql: SQL { "select drop_change_log_partition(\(ChangeLog.keptDays))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}
