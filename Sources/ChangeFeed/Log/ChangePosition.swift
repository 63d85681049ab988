/// A place in the change log. The log is read in the order of transactions, then of rows.
public struct ChangePosition: Hashable, Comparable, Sendable {
    /// The transaction's `xid8`, which never wraps around.
    public let transaction: Int64
    /// The row's number, which is odd; the next number for the second change of a row.
    public let row: Int64

    public init(transaction: Int64, row: Int64) {
        self.transaction = transaction
        self.row = row
    }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        (left.transaction, left.row) < (right.transaction, right.row)
    }

    /// The position just before this one: reading after it begins with the row of this position.
    public var before: ChangePosition { ChangePosition(transaction: transaction, row: row - 1) }
}
