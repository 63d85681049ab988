/// What the statements of a pool are known to take, by kind.
///
/// A kind is slow from the moment at which one of its statements has run for longer than the limit, be it for its work or for
/// a lock, until one of them ends within the limit.
struct StatementPace {
    /// Beyond it the kinds are forgotten. The server has some hundred kinds of statements.
    private static let maxKinds = 1024

    let limit: Duration
    private var slow: Set<Int> = []

    init(limit: Duration) { self.limit = limit }

    var hasSlow: Bool { !slow.isEmpty }

    func isSlow(_ kind: Int) -> Bool { !slow.isEmpty && slow.contains(kind) }

    /// A statement of the kind has run for so long, and has ended or not.
    mutating func ran(_ kind: Int, for duration: Duration, hasEnded: Bool) {
        if duration > limit {
            if slow.count >= Self.maxKinds { slow.removeAll() }
            slow.insert(kind)
        } else if hasEnded, !slow.isEmpty {
            slow.remove(kind)
        }
    }
}
