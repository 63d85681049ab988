import Postgres

/// The history of the database that one read of the log found.
struct ChangeLogHistory: Sendable {
    /// Names the history; a position of another epoch means nothing here.
    let epoch: Int64
    /// Whether the epoch began on the timeline that is written on: a promotion and a restore to a point in time end on
    /// another. True on a standby, whose timeline is told once it is promoted.
    let isCurrent: Bool
    let session: DatabaseSession

    /// The alias `h` is `change_log_history()`.
    static let columns: StaticString = "h.epoch, h.is_current, h.process, h.started_at"
    static let columnCount = 4

    init(row: Row) {
        epoch = row.int64(0)
        isCurrent = row.bool(optional: 1) ?? true
        session = DatabaseSession(process: row.int32(2), startedAt: row.timestamp(3))
    }
}

/// A connection to one run of PostgreSQL.
struct DatabaseSession: Hashable, Sendable {
    /// The process number of the session's backend.
    let process: Int32
    /// When PostgreSQL was started.
    let startedAt: Timestamp
}

/// Sessions lead to different runs of PostgreSQL.
struct SeveralServers: Error, CustomStringConvertible {
    var description: String { "connections lead to different servers" }
}

/// The newest rows up to a position that no transaction can add one before, at most `ChangeTrail.length`. The first row
/// is there always: it tells of which history they are.
struct ChangeLogEnd: Statement {
    /// nil for the log's end.
    let position: ChangePosition?

    var sql: SQL {
        """
        select \(unsafe: ChangeLogHistory.columns), now() - make_interval(days => \(ChangeLog.keptDays)), \
        coalesce(f.xid, '0'), coalesce(f.id, 0), c.xid, c.id, c.object_id, c.at, c.counted is distinct from null \
        from change_log_history() h left join change_log_floor f on true left join lateral (\
        select xid, id, object_id, at, counted from change_log \
        where (xid, id) <= (\(String(position?.transaction ?? .max))::xid8, \(position?.row ?? .max)) \
        and xid < pg_snapshot_xmin(pg_current_snapshot()) \
        order by xid desc, id desc limit \(Int64(ChangeTrail.length))) c on true order by c.xid, c.id
        """
    }

    struct Output: Sendable {
        let history: ChangeLogHistory
        /// Older rows may have been dropped.
        let keptSince: Timestamp
        /// The newest row that was dropped with its partition.
        let floor: ChangePosition
        let row: ChangeTrail.Row?
        /// The place of the row's last change; nil where there is no row.
        let position: ChangePosition?
    }

    func decode(_ row: Row) -> Output {
        let offset = ChangeLogHistory.columnCount
        let entry = row.isNull(offset + 3) ? nil : ChangeTrail.Row(row: row, offset: offset + 3)
        return Output(
            history: ChangeLogHistory(row: row), keptSince: row.timestamp(offset),
            floor: ChangePosition(transaction: row.int64(offset + 1), row: row.int64(offset + 2)), row: entry,
            position: entry.map { entry in
                let last = entry.position.row + (row.bool(offset + 7) ? 1 : 0)
                return ChangePosition(transaction: entry.position.transaction, row: last)
            })
    }
}

/// Begins a new epoch, unless another server did so already.
struct BeginChangeLogEpoch: Statement {
    /// The epoch that was found in the log.
    let seen: Int64

    var sql: SQL { "select begin_change_log_epoch(\(seen))" }

    func decode(_ row: Row) -> Bool { row.bool(0) }
}
