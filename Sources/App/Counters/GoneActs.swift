import Postgres

/// What accounts that are being removed did to an object, by kind. The stored counters count it until its rows are removed;
/// clients are shown counters without it, as soon as they do not see the accounts any more.
struct GoneActs {
    private let counts: [Int32]

    /// - Parameter column: the counts as text; null, and read at no cost, while no account is being removed.
    init(_ row: Row, _ column: Int) {
        counts = row.text(optional: column).map { String($0).split(separator: " ").compactMap { Int32($0) } } ?? []
    }

    subscript(kind: Int) -> Int32 { counts.isEmpty ? 0 : counts[kind] }
}
