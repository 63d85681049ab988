import Postgres

/// Up to `limit` rows after a position, among those before which no running transaction can add a row. The result
/// always has a first row, which has the epoch and the snapshot.
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
        left join lateral (select c.xmin, c.* from change_log c \
        where (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row - 1)) \
        and c.xid < pg_snapshot_xmin(pg_current_snapshot()) \
        order by c.xid, c.id limit \(limit)) c on true order by c.xid, c.id
        """
    }

    /// The position after which reading goes on: that of the last row read. The snapshot may show that older
    /// transactions have all ended, but their numbers must not be skipped: after a crash, PostgreSQL gives the number
    /// of a transaction that left no trace on the disk to a new one, whose rows would then be passed over.
    func next(after rows: [Output]) -> (position: ChangePosition, isWhole: Bool) {
        (max(position, rows.last?.position ?? position), rows.count < Int(limit))
    }

    struct Output: Sendable {
        let history: ChangeLogHistory
        /// The oldest transaction that still runs, and the transaction that will begin next.
        let running: Int64
        let next: Int64
        /// The position of the row's last change; nil if no row follows the position.
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
