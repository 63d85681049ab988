import Postgres

/// The newest rows of the log as they were read. The tail compares them with the rows that the database has now, to
/// notice that the database lost history without beginning another timeline: a data folder was copied back, or
/// PostgreSQL crashed without `synchronous_commit`. A crash loses the last commits. The newest row is that of the
/// highest transaction number, which need not have committed last, so several rows are compared.
struct RecentRows: Sendable {
    static let length = 1_000

    struct Row: Hashable, Sendable {
        /// The position of the row's first change. A row may stand for two changes (`ChangesAfter`).
        let position: ChangePosition
        let object: UUID
        let at: Timestamp
    }

    private var rows: ArraySlice<Row> = []

    /// - Parameter newer: rows in the order of the log. Rows that do not lie after the last one here are left out.
    mutating func append(_ newer: some Sequence<Row>) {
        for row in newer where rows.last.map({ $0.position < row.position }) ?? true { rows.append(row) }
        if rows.count > Self.length { rows = ArraySlice(rows.suffix(Self.length)) }
    }

    /// True where the database still has these rows.
    /// - Parameters:
    ///   - found: the newest `length` rows up to the last of these rows, as they are read now.
    ///   - keptSince: the time before which rows may have been dropped.
    func isKept(in found: [Row], keptSince: Timestamp) -> Bool {
        guard let first = rows.first else { return true }
        let expected = rows.filter { keptSince <= $0.at }
        return expected == found.filter { keptSince <= $0.at && first.position <= $0.position }
    }
}

extension RecentRows.Row {
    /// - Parameter offset: the offset of the columns xid, id, object_id and at in the row.
    init(row: Postgres.Row, offset: Int) {
        position = ChangePosition(transaction: row.int64(offset), row: row.int64(offset + 1))
        object = row.uuid(offset + 2)
        at = row.timestamp(offset + 3)
    }
}
