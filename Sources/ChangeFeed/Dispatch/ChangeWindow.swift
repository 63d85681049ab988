import Postgres

/// The newest rows of the log, in memory.
struct ChangeWindow: Sendable {
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

    /// Changes of counters from one place to another, which their owner may have been spared; nil where some are not
    /// here any more.
    func counterChanges(from first: ChangePosition, through last: ChangePosition) -> [Change]? {
        changes(after: first.before).map { changes in Self.heldBack(changes.prefix { $0.position <= last }.reversed()) }
    }

    /// - Parameter changes: the newest first.
    /// - Returns: the newest of each object where it is of counters alone, the oldest first.
    static func heldBack(_ changes: some Sequence<Change>) -> [Change] {
        var seen: Set<ObjectID> = []
        var held: [Change] = []
        for change in changes where seen.insert(change.object).inserted {
            if change.isCountersOnly { held.append(change) }
        }
        return held.reversed()
    }
}
