/// The kinds of statements that take long in a pool.
///
/// A kind becomes slow when one of its statements has run for longer than the limit, for its work or for a lock. It
/// becomes stuck when one has run for more than ten times the limit. A kind is neither any more once one of its
/// statements has ended within the limit.
struct StatementPace {
    /// When this many kinds are slow, all are forgotten. The server has far fewer kinds of statements.
    private static let maxKinds = 1024

    let limit: Duration
    private var slow: Set<Int> = []
    private var stuck: Set<Int> = []

    init(limit: Duration) { self.limit = limit }

    var hasSlow: Bool { !slow.isEmpty }

    func isSlow(_ kind: Int) -> Bool { !slow.isEmpty && slow.contains(kind) }

    func isStuck(_ kind: Int) -> Bool { !stuck.isEmpty && stuck.contains(kind) }

    /// A statement of the kind has run for `duration`, and has ended or still runs.
    mutating func ran(_ kind: Int, for duration: Duration, hasEnded: Bool) {
        if duration > limit {
            if slow.count >= Self.maxKinds { (slow, stuck) = ([], []) }
            slow.insert(kind)
            if duration > limit * 10 { stuck.insert(kind) }
        } else if hasEnded, !slow.isEmpty {
            slow.remove(kind)
            stuck.remove(kind)
        }
    }
}
