import Postgres

/// The number of acts of each kind, such as likes and comments, by accounts that are being removed. The stored counters
/// include these acts until the removal deletes the acts' rows. Clients are shown the counters without these acts.
struct ActsOfRemovedAccounts {
    private let counts: [Int32]

    /// - Parameter column: the column of the counts, as text. It is null, at no cost, while no account is being
    ///   removed.
    init(_ row: Row, _ column: Int) {
        counts = row.text(optional: column).map { String($0).split(separator: " ").compactMap { Int32($0) } } ?? []
    }

    subscript(kind: Int) -> Int32 { counts.isEmpty ? 0 : counts[kind] }
}
