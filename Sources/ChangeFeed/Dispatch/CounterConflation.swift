/// Merges an object's counter changes to four a second: the first is sent at once, and the newest of those that follow
/// within the interval is sent at its end.
struct CounterConflation: Sendable {
    static let interval = Duration.milliseconds(250)

    /// The end of each object's interval. Until then its counter changes are held back.
    private var pausedUntil: [ObjectID: ContinuousClock.Instant] = [:]
    /// The ends of all intervals in the order of time, including those that a newer interval of the object has replaced
    /// in `pausedUntil`.
    private var ends: ArraySlice<(object: ObjectID, at: ContinuousClock.Instant)> = []
    private var held: [ObjectID: Change] = [:]

    /// The time at which `take` next has to look for changes that are due. The time is never nil while a change is held
    /// back. It may be set for a while after the last held-back change was dropped.
    private(set) var due: ContinuousClock.Instant?

    /// A position before which no change is held back. The position is never nil while a change is held back. It may be
    /// set for a while after the last held-back change was dropped.
    private(set) var oldestHeld: ChangePosition?

    /// Holds back a counter change within the object's interval.
    /// - Returns: true where the change is sent now, false where it is held back.
    mutating func admit(_ change: Change, now: ContinuousClock.Instant) -> Bool {
        guard change.isCountersOnly else {
            // The object is read when its change is sent, so its event has the newest counters.
            held[change.object] = nil
            return true
        }
        if let end = pausedUntil[change.object], now < end {
            held[change.object] = change
            due = min(due ?? end, end)
            oldestHeld = min(oldestHeld ?? change.position, change.position)
            return false
        }
        held[change.object] = nil
        rest(change.object, now)
        return true
    }

    /// The held-back changes that are due, in the order of the log. Other objects whose interval ended are forgotten.
    mutating func take(now: ContinuousClock.Instant) -> [Change] {
        var taken: [Change] = []
        while let end = ends.first, end.at <= now {
            ends.removeFirst()
            guard pausedUntil[end.object] == end.at else { continue }
            if let change = held.removeValue(forKey: end.object) {
                taken.append(change)
                rest(end.object, now)
            } else {
                pausedUntil[end.object] = nil
            }
        }
        if due.map({ $0 <= now }) ?? false {
            due = held.keys.compactMap { pausedUntil[$0] }.min()
            oldestHeld = held.values.map(\.position).min()
        }
        return taken.sorted { $0.position < $1.position }
    }

    private mutating func rest(_ object: ObjectID, _ now: ContinuousClock.Instant) {
        pausedUntil[object] = now + Self.interval
        ends.append((object, now + Self.interval))
    }
}
