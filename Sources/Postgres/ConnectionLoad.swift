/// The segments in flight on one connection, by the kinds of their statements, and since when the first of them has run.
///
/// Segments that several threads send at once may be in another order here than on the connection. A time is then put down to
/// the wrong one of two kinds, until the next statement of each.
struct ConnectionLoad {
    private var kinds = Ring<Int>()
    private var firstSince = Instant(nanoseconds: 0)

    mutating func sent(_ kind: Int, now: Instant) {
        if kinds.isEmpty { firstSince = now }
        kinds.append(kind)
    }

    mutating func answered(_ segments: Int, now: Instant, _ pace: inout StatementPace) {
        for index in 0..<segments {
            guard let kind = kinds.popFirst() else { return }
            // Of answers that are read together, only the first one's time is known.
            pace.ran(kind, for: now - firstSince, hasEnded: index == 0)
            firstSince = now
        }
    }

    /// Whether the first segment has run for longer than the limit.
    func isHeldUp(now: Instant, _ pace: StatementPace) -> Bool { !kinds.isEmpty && now - firstSince > pace.limit }

    /// Whether the first segment is of this kind, and has run for longer than the limit.
    func isHeldUp(by kind: Int, now: Instant, _ pace: StatementPace) -> Bool {
        isHeldUp(now: now, pace) && kinds.first == kind
    }

    /// Tells how long the first segment has run.
    func time(now: Instant, _ pace: inout StatementPace) {
        if let first = kinds.first { pace.ran(first, for: now - firstSince, hasEnded: false) }
    }

    /// The number of segments of slow kinds.
    func slowCount(_ pace: StatementPace) -> Int {
        guard pace.hasSlow else { return 0 }
        var count = 0
        kinds.forEach { if pace.isSlow($0) { count += 1 } }
        return count
    }

    mutating func removeAll() { _ = kinds.removeAll() }
}
