import Postgres

/// Reads up to `limit` rows of the log after a position. Only rows of transactions that are older than every running
/// transaction are read, so that no row can be added before a row that was read. Each row of the result has the epoch
/// and the snapshot. If there is no row of the log, the result is one row with these alone.
///
/// A row may stand for two changes, of which the second has the next number. The row at the position itself is read
/// again, because its second change may lie after the position.
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

    /// The position after which reading goes on, and whether the log had no further row. The position is that of the
    /// last row read, even if the snapshot shows that later transactions have ended without a row. The numbers of these
    /// transactions must not be skipped. After a crash, PostgreSQL may give the number of a transaction that left no
    /// trace on the disk to a new transaction, whose rows would then never be read.
    func next(after rows: [Output]) -> (position: ChangePosition, isWhole: Bool) {
        (max(position, rows.last?.position ?? position), rows.count < Int(limit))
    }

    struct Output: Sendable {
        let history: ChangeLogHistory
        /// The oldest running transaction below `next`; equal to `next` if there is none. Rows of this transaction and
        /// of newer ones were not read.
        let running: Int64
        /// The number after that of the newest transaction that has ended.
        let next: Int64
        /// The position of the row's last change; nil if no row was read.
        var position: ChangePosition?
        var row: RecentRows.Row?
        /// The row's change of its own object; nil if it does not lie after the position.
        var change: Change?
        /// The change of the subject's counters for which the row also stands; nil if it does not lie after the
        /// position.
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
        output.row = RecentRows.Row(position: start, object: row.uuid(first + 4), at: row.timestamp(first + 2))
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
