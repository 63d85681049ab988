/// Changes of counters alone, merged to four a second an object: the first goes out at once, what follows within the
/// interval goes out at its end, as the newest.
struct CounterConflation: Sendable {
    static let interval = Duration.milliseconds(250)

    /// Until when an object is quiet.
    private var quiet: [ObjectID: ContinuousClock.Instant] = [:]
    /// The same in the order of time, which is that of coming: all are quiet for the same time. With places that an
    /// object's newer one has replaced.
    private var ends: ArraySlice<(object: ObjectID, at: ContinuousClock.Instant)> = []
    private var held: [ObjectID: Change] = [:]

    /// When something that is held back is due; nil where nothing is.
    private(set) var due: ContinuousClock.Instant?

    /// Nothing before it is held back; nil where nothing is.
    private(set) var oldestHeld: ChangePosition?

    /// Whether the change goes out now.
    mutating func admit(_ change: Change, now: ContinuousClock.Instant) -> Bool {
        guard change.isCountersOnly else {
            // The object is read when its change goes out: with its counters as they are then.
            held[change.object] = nil
            return true
        }
        if let end = quiet[change.object], now < end {
            held[change.object] = change
            due = min(due ?? end, end)
            oldestHeld = min(oldestHeld ?? change.position, change.position)
            return false
        }
        held[change.object] = nil
        rest(change.object, now)
        return true
    }

    /// What was held back long enough. What has been quiet is forgotten.
    mutating func take(now: ContinuousClock.Instant) -> [Change] {
        var taken: [Change] = []
        while let end = ends.first, end.at <= now {
            ends.removeFirst()
            guard quiet[end.object] == end.at else { continue }
            if let change = held.removeValue(forKey: end.object) {
                taken.append(change)
                rest(end.object, now)
            } else {
                quiet[end.object] = nil
            }
        }
        if due.map({ $0 <= now }) ?? false {
            due = held.keys.compactMap { quiet[$0] }.min()
            oldestHeld = held.values.map(\.position).min()
        }
        return taken.sorted { $0.position < $1.position }
    }

    private mutating func rest(_ object: ObjectID, _ now: ContinuousClock.Instant) {
        quiet[object] = now + Self.interval
        ends.append((object, now + Self.interval))
    }
}
