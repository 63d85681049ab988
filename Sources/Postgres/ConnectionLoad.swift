/// The kinds of the segments in flight on one connection, in order, and the time at which the first of them began to
/// run.
///
/// Two threads that send at once may note their segments in another order than the connection has them. Each of the two
/// kinds may then be given the other's time, until the next statement of that kind ends.
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
            // Several answers may be read together. Only the first segment's time is then known.
            pace.ran(kind, for: now - firstSince, hasEnded: index == 0)
            firstSince = now
        }
    }

    /// True where the first segment has run for longer than the limit.
    func isHeldUp(now: Instant, _ pace: StatementPace) -> Bool { !kinds.isEmpty && now - firstSince > pace.limit }

    /// True where the first segment is of this kind, and has run for longer than the limit.
    func isHeldUp(by kind: Int, now: Instant, _ pace: StatementPace) -> Bool {
        isHeldUp(now: now, pace) && kinds.first == kind
    }

    /// Tells `pace` how long the first segment has run so far.
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
