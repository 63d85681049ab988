import Postgres

/// The newest rows of the log, in memory.
struct ChangeWindow: Sendable {
    /// How long ago a change of counters may have been held back for a newer one, in microseconds: the conflation's
    /// interval twice.
    private static let heldBack: Int64 = 500_000

    /// Every row after it, as far as the log was read, is here.
    private(set) var start: ChangePosition
    private var changes: [Change] = []
    /// How many at the front are dropped already.
    private var dropped = 0
    private let capacity: Int

    init(start: ChangePosition, capacity: Int = 100_000) {
        self.start = start
        self.capacity = capacity
    }

    mutating func append(_ change: Change) {
        changes.append(change)
        guard changes.count - dropped > capacity else { return }
        start = changes[dropped].position
        dropped += 1
        if dropped > capacity / 2 {
            changes.removeFirst(dropped)
            dropped = 0
        }
    }

    /// nil where some of them are not here any more.
    func changes(after position: ChangePosition) -> ArraySlice<Change>? {
        if position < start { return nil }
        var (low, high) = (dropped, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].position <= position { low = middle + 1 } else { high = middle }
        }
        return changes[low...]
    }

    /// Changes of counters at or shortly before a position, which its owner may have been spared until it was gone.
    func counterChanges(before position: ChangePosition) -> [Change] {
        guard let after = changes(after: position) else { return [] }
        return Self.heldBack(changes[dropped..<after.startIndex].suffix(500).reversed())
    }

    /// - Parameter changes: the newest first.
    /// - Returns: the newest of each object, the oldest first.
    static func heldBack(_ changes: some Sequence<Change>) -> [Change] {
        var newest: Timestamp?
        var seen: Set<TypeID> = []
        var held: [Change] = []
        for change in changes {
            let last = newest ?? change.at
            newest = last
            if last.microseconds - change.at.microseconds > heldBack { break }
            if seen.insert(change.object).inserted, change.isCountersOnly { held.append(change) }
        }
        return held.reversed()
    }
}
