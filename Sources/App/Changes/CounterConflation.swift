/// Changes of counters alone, merged to four a second an object: the first goes out at once, what follows within the
/// interval goes out at its end, as the newest.
struct CounterConflation: Sendable {
    static let interval = Duration.milliseconds(250)

    private struct Entry {
        var quietUntil: ContinuousClock.Instant
        var held: Change?
    }

    private var entries: [TypeID: Entry] = [:]

    /// When something that is held back is due; nil where nothing is.
    private(set) var due: ContinuousClock.Instant?

    /// Nothing before it is held back; nil where nothing is.
    private(set) var oldestHeld: ChangePosition?

    /// Whether the change goes out now.
    mutating func admit(_ change: Change, now: ContinuousClock.Instant) -> Bool {
        guard change.isCountersOnly else {
            // The object is read when its change goes out: with its counters as they are then.
            entries[change.object]?.held = nil
            return true
        }
        if let entry = entries[change.object], now < entry.quietUntil {
            entries[change.object]?.held = change
            due = min(due ?? entry.quietUntil, entry.quietUntil)
            oldestHeld = min(oldestHeld ?? change.position, change.position)
            return false
        }
        entries[change.object] = Entry(quietUntil: now + Self.interval)
        return true
    }

    /// What was held back long enough. What has been quiet is forgotten.
    mutating func take(now: ContinuousClock.Instant) -> [Change] {
        guard entries.count > 1024 || due.map({ $0 <= now }) ?? false else { return [] }
        var taken: [Change] = []
        due = nil
        oldestHeld = nil
        for (object, entry) in entries {
            if entry.quietUntil > now {
                if let held = entry.held {
                    due = min(due ?? entry.quietUntil, entry.quietUntil)
                    oldestHeld = min(oldestHeld ?? held.position, held.position)
                }
            } else if let held = entry.held {
                taken.append(held)
                entries[object] = Entry(quietUntil: now + Self.interval)
            } else {
                entries[object] = nil
            }
        }
        return taken.sorted { $0.position < $1.position }
    }
}
