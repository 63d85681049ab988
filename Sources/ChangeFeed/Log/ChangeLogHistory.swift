import Postgres

/// The epoch and the session that one read of the log found.
struct ChangeLogHistory: Sendable {
    /// The name of the epoch; positions of another epoch mean nothing here.
    let epoch: Int64
    /// True where the epoch began on the current timeline, and on a standby, which has no timeline of its own until its
    /// promotion. A promotion or a restore to a point in time begins another timeline.
    let isCurrent: Bool
    let session: DatabaseSession

    /// The columns of the history; the alias `h` is `change_log_history()`.
    static let columns: StaticString = "h.epoch, h.is_current, h.process, h.started_at"
    static let columnCount = 4

    init(row: Row) {
        epoch = row.int64(0)
        isCurrent = row.bool(optional: 1) ?? true
        session = DatabaseSession(process: row.int32(2), startedAt: row.timestamp(3))
    }
}

/// A session of PostgreSQL, and the run of PostgreSQL that it belongs to.
struct DatabaseSession: Hashable, Sendable {
    /// The process id of the session's backend.
    let process: Int32
    /// The time at which PostgreSQL was started.
    let startedAt: Timestamp
}

/// The error of a pool whose sessions lead to different runs of PostgreSQL.
struct DifferentServers: Error, CustomStringConvertible {
    var description: String { "connections lead to different servers" }
}

/// The newest rows up to a position, at most `RecentRows.length`. A row counts only when all transactions with lower
/// numbers have ended, so that no row can still appear before it. The result always has a first row, which has the
/// epoch.
struct ChangeLogEnd: Statement {
    /// The last position to read; nil reads up to the log's end.
    let position: ChangePosition?

    var sql: SQL {
        """
        select \(unsafe: ChangeLogHistory.columns), now() - make_interval(days => \(ChangeLog.keptDays)), \
        coalesce(f.xid, '0'), coalesce(f.id, 0), c.xid, c.id, c.object_id, c.at, c.counted is distinct from null \
        from change_log_history() h left join change_log_floor f on true left join lateral (\
        select xid, id, object_id, at, counted from change_log \
        where (xid, id) <= (\(String(position?.transaction ?? .max))::xid8, \(position?.row ?? .max)) \
        and xid < pg_snapshot_xmin(pg_current_snapshot()) \
        order by xid desc, id desc limit \(Int64(RecentRows.length))) c on true order by c.xid, c.id
        """
    }

    struct Output: Sendable {
        let history: ChangeLogHistory
        /// The time before which rows may have been dropped.
        let keptSince: Timestamp
        /// The position of the newest row that was dropped with its partition; zero if none was.
        let floor: ChangePosition
        let row: RecentRows.Row?
        /// The position of the row's last change; nil if no row was read.
        let position: ChangePosition?
    }

    func decode(_ row: Row) -> Output {
        let offset = ChangeLogHistory.columnCount
        let entry = row.isNull(offset + 3) ? nil : RecentRows.Row(row: row, offset: offset + 3)
        return Output(
            history: ChangeLogHistory(row: row), keptSince: row.timestamp(offset),
            floor: ChangePosition(transaction: row.int64(offset + 1), row: row.int64(offset + 2)), row: entry,
            position: entry.map { entry in
                let last = entry.position.row + (row.bool(offset + 7) ? 1 : 0)
                return ChangePosition(transaction: entry.position.transaction, row: last)
            })
    }
}

/// Begins a new epoch, unless another server has already begun one. The result tells whether this server began it.
struct BeginChangeLogEpoch: Statement {
    /// The epoch that the caller found in the log.
    let seen: Int64

    var sql: SQL { "select begin_change_log_epoch(\(seen))" }

    func decode(_ row: Row) -> Bool { row.bool(0) }
}
