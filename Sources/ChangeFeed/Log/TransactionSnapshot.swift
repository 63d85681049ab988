/// The transactions that had ended when a statement read the database. A client may have read what they wrote before its
/// subscription began.
///
/// The position of a row of the log does not tell this. A transaction with a low number may end late, and a row may be
/// filed under the number of a younger transaction, which wrote the object earlier.
public struct TransactionSnapshot: Sendable {
    /// The oldest transaction that ran.
    private let oldest: Int64
    /// No transaction from this one on had ended.
    private let next: Int64
    /// The transactions between the two that ran.
    private let running: [Int64]

    /// - Parameter text: a `pg_snapshot` as PostgreSQL writes it: `xmin:xmax:xip_list`.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let oldest = Int64(parts[0]), let next = Int64(parts[1]) else { return nil }
        let running = parts[2].split(separator: ",").map { Int64($0) }
        self.oldest = oldest
        self.next = next
        self.running = running.compactMap { $0 }
        if self.running.count < running.count { return nil }
    }

    /// Whether the transaction had ended.
    public func sees(_ transaction: Int64) -> Bool {
        transaction < oldest || transaction < next && !running.contains(transaction)
    }
}
