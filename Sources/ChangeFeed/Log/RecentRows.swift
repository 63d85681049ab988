import Postgres

/// The newest rows of the log as they were read. A database that lost history on its timeline (a data folder copied
/// back, a crash without `synchronous_commit`) has other rows in their place. A single row that is still there proves
/// nothing, since rows are lost in the order of commits but read in the order of transactions.
struct RecentRows: Sendable {
    static let length = 1_000

    struct Row: Hashable, Sendable {
        /// The position of the row's first change.
        let position: ChangePosition
        let object: UUID
        let at: Timestamp
    }

    private var rows: ArraySlice<Row> = []

    /// - Parameter newer: rows in the order of the log; rows that the trail has already are left out.
    mutating func append(_ newer: some Sequence<Row>) {
        for row in newer where rows.last.map({ $0.position < row.position }) ?? true { rows.append(row) }
        if rows.count > Self.length { rows = ArraySlice(rows.suffix(Self.length)) }
    }

    /// Whether the database still has the rows of the trail.
    /// - Parameters:
    ///   - found: the rows at the same positions, as they are read now.
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
