import Postgres

/// The newest rows of the log, kept in memory.
struct ChangeWindow: Sendable {
    /// The position after which the window has every row, as far as the log was read.
    private(set) var start: ChangePosition
    private var changes: [Change] = []
    /// The number of rows at the front of `changes` that are dropped already.
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

    /// The rows after a position; nil if some of them were dropped.
    func changes(after position: ChangePosition) -> ArraySlice<Change>? {
        if position < start { return nil }
        var (low, high) = (dropped, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].position <= position { low = middle + 1 } else { high = middle }
        }
        return changes[low...]
    }

    /// The counter changes from one position through another that conflation may have held back; nil if some of the
    /// rows were dropped.
    func counterChanges(from first: ChangePosition, through last: ChangePosition) -> [Change]? {
        changes(after: first.before).map { changes in Self.heldBack(changes.prefix { $0.position <= last }.reversed()) }
    }

    /// - Parameter changes: changes in the order from the newest to the oldest.
    /// - Returns: the newest change of each object if it changes counters only, in the order of the log.
    static func heldBack(_ changes: some Sequence<Change>) -> [Change] {
        var seen: Set<ObjectID> = []
        var held: [Change] = []
        for change in changes where seen.insert(change.object).inserted {
            if change.isCountersOnly { held.append(change) }
        }
        return held.reversed()
    }
}
