import Postgres

/// Up to `limit` rows after a position, as far as no transaction that still runs can add one before them.
/// The first row is there always: it tells how far that is, and of which history the log is.
///
/// A row may stand for two changes, of which the second has the next number: the row of the position itself is read
/// again, for what it may have after it.
struct ChangesAfter: Statement {
    let position: ChangePosition
    let limit: Int64
    let subjectKind: SubjectKind

    var sql: SQL {
        """
        select \(unsafe: ChangeLogHistory.columns), pg_snapshot_xmin(s), pg_snapshot_xmax(s), \(unsafe: Change.columns) \
        from change_log_history() h cross join pg_current_snapshot() s \
        left join lateral (select * from change_log c \
        where (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row - 1)) \
        and c.xid < pg_snapshot_xmin(pg_current_snapshot()) \
        order by c.xid, c.id limit \(limit)) c on true order by c.xid, c.id
        """
    }

    /// Where reading goes on after these rows of the statement: behind the last of them, even where the snapshot knows
    /// that older transactions have all ended. What those left no trace of on the disk, PostgreSQL numbers anew after
    /// a crash, and what then has the number would be passed over.
    func next(after rows: [Output]) -> (position: ChangePosition, isWhole: Bool) {
        (max(position, rows.last?.position ?? position), rows.count < Int(limit))
    }

    struct Output: Sendable {
        let history: ChangeLogHistory
        /// The oldest transaction that still runs, and the next that will begin.
        let running: Int64
        let next: Int64
        /// Of the last of its changes; nil where there is no row.
        var position: ChangePosition?
        var row: ChangeTrail.Row?
        /// nil where it lies before the position.
        var change: Change?
        /// Of the object's subject, whose counters it changed.
        var counted: Change?
    }

    func decode(_ row: Row) -> Output {
        let offset = ChangeLogHistory.columnCount
        var output = Output(
            history: ChangeLogHistory(row: row), running: row.int64(offset), next: row.int64(offset + 1))
        let first = offset + 2
        if row.isNull(first) { return output }
        let start = ChangePosition(transaction: row.int64(first), row: row.int64(first + 1))
        let change = Change(row: row, offset: first)
        let counted = change.countersOfSubject(subjectKind)
        output.position = counted?.position ?? start
        output.row = ChangeTrail.Row(position: start, object: row.uuid(first + 4), at: row.timestamp(first + 2))
        if start > position { output.change = change }
        if let counted, counted.position > position { output.counted = counted }
        return output
    }
}

extension [ChangesAfter.Output] {
    var changes: [Change] {
        var changes: [Change] = []
        changes.reserveCapacity(count)
        for row in self {
            if let change = row.change { changes.append(change) }
            if let counted = row.counted { changes.append(counted) }
        }
        return changes
    }
}
