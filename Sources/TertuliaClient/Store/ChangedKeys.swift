import Foundation
import GRDB

/// The keys that the newest transactions of this process have changed. The file has the number of its last transaction,
/// so a read knows from its snapshot which transaction it sees. It asks for the keys that changed after the transaction
/// that it saw before, up to this one. What is shown is then of one moment, even if more transactions have followed.
final class ChangedKeys: @unchecked Sendable {
    private let lock = NSLock()
    /// The keys of each transaction, in the order of the transactions' numbers and without a gap.
    private var transactions: [Set<String>] = []
    /// The number of the first of `transactions`.
    private var first: Int64 = 1

    /// - Parameter last: the number of the file's last transaction.
    init(last: Int64) { first = last + 1 }

    /// Numbers the transaction that changes the keys. If an earlier transaction took this number and was rolled back,
    /// the earlier one's keys are forgotten.
    func record(_ keys: Set<String>, in database: Database) throws {
        let number = try Self.number(in: database) + 1
        try database.cachedStatement(
            sql: "insert into facts values ('transaction', ?1) on conflict (name) do update set value = ?1"
        ).execute(arguments: [String(number)])
        lock.withLock {
            // Another process wrote to the file in between: the keys that it changed are unknown.
            if number < first || number > first + Int64(transactions.count) {
                transactions = []
                first = number
            }
            transactions.removeSubrange(Int(number - first)...)
            transactions.append(keys)
            if transactions.count > 2 * Self.limit {
                transactions.removeFirst(Self.limit)
                first += Int64(Self.limit)
            }
        }
    }

    /// The keys that changed after the transaction `last`, up to the transaction `number`; nil where not all are known.
    func keys(after last: Int64, upTo number: Int64) -> Set<String>? {
        if last == number { return [] }
        return lock.withLock {
            guard last < number, last + 1 >= first, number < first + Int64(transactions.count) else { return nil }
            return transactions[Int(last + 1 - first)...Int(number - first)].reduce(into: []) { $0.formUnion($1) }
        }
    }

    /// The number of the last transaction in the snapshot.
    static func number(in database: Database) throws -> Int64 {
        try RecordTable.fact("transaction", in: database).flatMap { Int64($0) } ?? 0
    }

    private static let limit = 512
}
