/// A place in the order of a primary's transactions. A server has passed it when this transaction and all older ones
/// have ended there.
public struct TransactionPosition: Sendable, Hashable {
    /// Names the history of the database. In another history, the same `xid8` is another transaction.
    public let epoch: Int64
    /// The `xid8` of a transaction.
    public let transaction: Int64

    public init(epoch: Int64, transaction: Int64) {
        self.epoch = epoch
        self.transaction = transaction
    }

    /// The later of two positions; nil where they are of different histories.
    public func later(_ other: TransactionPosition) -> TransactionPosition? {
        guard epoch == other.epoch else { return nil }
        return transaction < other.transaction ? other : self
    }
}

/// The form that clients hold, which is opaque to them.
extension TransactionPosition {
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 32, parts.count == 2, let epoch = UInt64(parts[0], radix: 36),
            let transaction = Int64(parts[1], radix: 36), transaction >= 0
        else { return nil }
        self.init(epoch: Int64(bitPattern: epoch), transaction: transaction)
    }

    public var text: String {
        "\(String(UInt64(bitPattern: epoch), radix: 36)).\(String(transaction, radix: 36))"
    }
}
