import ChangeFeed
import Postgres

extension StandbySet {
    /// The standbys of a server's primary.
    /// - Parameter primary: a pool in the role `tertulia_worker`.
    public static func ofServer(
        _ standbys: [StandbySetConfiguration.Standby], primary: Pool,
        _ configure: (inout StandbySetConfiguration) -> Void = { _ in }
    ) -> StandbySet {
        var configuration = StandbySetConfiguration(
            standbys, primary: primary,
            check: "select pg_is_in_recovery(), epoch, pg_snapshot_xmin(pg_current_snapshot()) from change_log_epoch",
            standbyProbe: """
                select pg_is_in_recovery(), epoch, pg_snapshot_xmin(pg_current_snapshot()), \
                coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint from change_log_epoch
                """,
            // `is_current` is null where the server taken for the primary is in recovery, since such a server has no
            // timeline.
            primaryProbe: """
                select e.epoch, h.epoch, coalesce(h.is_current, true), (case when pg_is_in_recovery() \
                then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::bigint \
                from change_log_epoch e, change_log_history() h
                """)
        configure(&configuration)
        return StandbySet(configuration)
    }
}

extension Environment {
    /// Probes the primary and its standbys until the task is cancelled.
    public func probeStandbys() async {
        guard let standbys else { return }
        await withDiscardingTaskGroup { group in
            // A probe of a frozen standby must not hold up the probes of the others.
            group.addTask { [self] in await probes("the primary's history") { await standbys.probePrimary() }.run() }
            for standby in standbys.indices {
                group.addTask { [self] in await probes("a standby") { await standbys.probeIfDue(standby) }.run() }
            }
        }
    }

    private func probes(_ name: String, _ probe: @escaping @Sendable () async -> Void) -> PeriodicWorker {
        worker(name, every: .milliseconds(250)) {
            await probe()
            return .afterInterval
        }
    }
}

/// The position of a write, read in its transaction or after its commit.
struct PositionOfWrites: Statement {
    /// In the write's transaction, the position is this transaction; elsewhere, the newest transaction that has ended.
    /// The third column is false from a promotion until the log has an epoch of the new history. No position has a
    /// meaning in that time.
    var sql: SQL {
        """
        select coalesce(pg_current_xact_id_if_assigned()::text::bigint, \
        pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1), epoch, timeline = current_timeline() \
        from change_log_epoch
        """
    }

    func decode(_ row: Row) -> TransactionPosition? {
        guard row.bool(optional: 2) == true else { return nil }
        return TransactionPosition(epoch: row.int64(1), transaction: row.int64(0))
    }
}

extension RequestContext {
    /// Lets the reads of a query run on standbys. A session must bring the position of its last write, so that it never
    /// misses that write.
    /// - Parameter position: the `Tertulia-Position` of the request.
    public func allowStandbys(after position: String?) {
        guard environment.standbys != nil else { return }
        if let position {
            guard let position = TransactionPosition(position) else { return }
            allowStandbys(atLeast: position)
        } else if viewer == nil {
            allowStandbys(atLeast: nil)
        }
    }

    /// The `Tertulia-Position` of the answer, known or not; nil where nothing was written or there are no standbys.
    public var positionOfWrites: String? { environment.standbys == nil ? nil : writes { $0.header } }

    /// Notes the position of writes that have just been committed.
    func noteWrites(in pool: Pool) async {
        guard environment.standbys != nil else { return }
        writes { $0.began() }
        // An error is not reported: the header is then `OwnWrites.unknown`, so that reads run on the primary.
        let position = try? await pool.run(PositionOfWrites()).first ?? nil
        writes { $0.committed(at: position) }
    }

    /// The cursor of the log's end for a client that reads lists in the same request. The later reads of the request
    /// see all changes up to the cursor.
    func cursorBesideLists() -> ChangeCursor? {
        let cursor = environment.changes.cursor
        if let route { route.require(environment.standbys?.position(of: cursor)) }
        return cursor
    }
}

extension StandbySet {
    func position(of cursor: ChangeCursor?) -> TransactionPosition? {
        cursor.flatMap { position(of: $0.position.transaction, cursorEpoch: $0.epoch) }
    }
}
