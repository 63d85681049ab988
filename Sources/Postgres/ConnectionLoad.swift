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
        for _ in 0..<segments {
            guard let kind = kinds.popFirst() else { return }
            pace.ran(kind, for: now - firstSince, hasEnded: true)
            firstSince = now
        }
    }

    /// Whether the first segment has run for longer than the limit.
    func isHeldUp(now: Instant, _ pace: StatementPace) -> Bool { !kinds.isEmpty && now - firstSince > pace.limit }

    /// Tells how long the first segment has run.
    func time(now: Instant, _ pace: inout StatementPace) {
        if let first = kinds.first { pace.ran(first, for: now - firstSince, hasEnded: false) }
    }

    func hasSlow(_ pace: StatementPace) -> Bool {
        guard pace.hasSlow else { return false }
        var isFound = false
        kinds.forEach { if pace.isSlow($0) { isFound = true } }
        return isFound
    }

    mutating func removeAll() { _ = kinds.removeAll() }
}
