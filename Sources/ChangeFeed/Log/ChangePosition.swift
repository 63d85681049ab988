/// A place in the change log, which is read in the order of positions. A row is filed under the transaction that wrote it,
/// or under a higher one that an earlier row of the same object has. So the rows of one object stand in the order in
/// which they were written.
public struct ChangePosition: Hashable, Comparable, Sendable {
    /// The `xid8` of the transaction that the row is filed under. It never wraps around.
    public let transaction: Int64
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
