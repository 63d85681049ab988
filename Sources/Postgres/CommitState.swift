/// Decides which writes of a pool share a durable commit, and which answers wait for it.
///
/// A write that shares is a transaction of its own, committed with `synchronous_commit` off. Its answer is held until a
/// durable commit that was sent after it has been acknowledged. While one durable commit is under way, further answers
/// gather for the next. A write that found a connection free commits durably by itself: PostgreSQL flushes the commits
/// of several sessions together, which is quicker while there are enough of these.
///
/// A durable commit proves something about a write only if PostgreSQL did not crash between the two, and if both ran on
/// the same server. Each proof rests on a session: one that began before the write was sent, that leads to the server
/// of the write's session, and that has not ended when the durable commit is acknowledged. A crash ends all sessions.
///
/// Like `PoolState`, this is a pure state machine without lock, thread, clock or libpq.
struct CommitState<Request> {
    /// How a write is sent.
    struct Start: Equatable {
        let mode: CommitMode
        /// The number of sessions that had begun when the write was sent.
        let sessions: Int
    }

    enum Answer: Equatable {
        /// The answer goes to the caller.
        case release
        /// The answer is held.
        case hold
        /// The answer is held, and a durable commit is to be sent on the session that gave the answer.
        case holdAndCommit
        /// The session has ended, so that no durable commit can follow on it: the outcome is unknown.
        case lost
    }

    struct Committed {
        /// The answers that have become durable, or whose outcome is unknown because the durable commit failed.
        let answers: [Request]
        /// True where the next durable commit is to be sent on the same session.
        let goesOn: Bool
    }

    private struct Session {
        let lease: Lease
        /// The run of PostgreSQL to which the session leads; nil where it could not be found out.
        let server: String?
        /// The number of sessions that had begun before this one.
        let number: Int
    }

    private struct Group {
        /// The session on which the durable commits are sent, one at a time.
        let session: Session
        /// The answers that the durable commit under way makes durable.
        var covered: [Request]
        /// The answers that came after it was sent.
        var gathered: [Request] = []
    }

    private let sharing: CommitSharing
    /// By connection.
    private var sessions: [Int: Session] = [:]
    private var sessionsBegun = 0
    private var groups: [Group] = []
    /// The number of writes that were sent and are not answered.
    private(set) var inFlight = 0
    /// The number of answers that were held, and of durable commits that were sent for them.
    private(set) var counts = (shared: 0, commits: 0)

    init(_ sharing: CommitSharing) { self.sharing = sharing }

    /// The answers that are held.
    var held: [Request] { groups.flatMap { $0.covered + $0.gathered } }

    // MARK: Sessions

    mutating func sessionBegan(_ lease: Lease, on server: String?) {
        sessions[lease.connection] = Session(lease: lease, server: server, number: sessionsBegun)
        sessionsBegun += 1
    }

    /// - Parameter lost: the number of writes in flight whose answers are lost.
    /// - Returns: the held answers whose durable commit will not be acknowledged, so that their outcome is unknown.
    mutating func sessionEnded(_ lease: Lease, lost: Int = 0) -> [Request] {
        if sharing == .off { return [] }
        inFlight -= lost
        if sessions[lease.connection]?.lease == lease { sessions[lease.connection] = nil }
        guard let index = groups.firstIndex(where: { $0.session.lease == lease }) else { return [] }
        let group = groups.remove(at: index)
        return group.covered + group.gathered
    }

    // MARK: Writes

    /// A write is about to be sent.
    /// - Parameter hasWaited: whether it had to wait for a connection.
    mutating func writeStarts(mayBeShared: Bool = true, hasWaited: Bool, on lease: Lease) -> Start {
        if sharing == .off { return Start(mode: .own, sessions: 0) }
        defer { inFlight += 1 }
        let isShared = mayBeShared && (sharing == .always || hasWaited)
        let hasServer = sessions[lease.connection].map { $0.lease == lease && $0.server != nil } ?? false
        return Start(mode: isShared && hasServer ? .shared : .own, sessions: sessionsBegun)
    }

    /// The session had ended before the write was sent.
    mutating func writeWasNotSent() { if sharing != .off { inFlight -= 1 } }

    /// A write was answered. Not called where sharing is off.
    /// - Parameter isRefused: whether the server answered with an error. An error may tell of another write that is not
    ///   durable yet, so it is held even if the write did not share, unless no other write is in flight or held.
    mutating func writeAnswered(_ request: Request, _ start: Start, isRefused: Bool, on lease: Lease) -> Answer {
        inFlight -= 1
        let isHeld = start.mode == .shared || isRefused && (inFlight > 0 || !groups.isEmpty)
        guard isHeld else { return .release }
        guard let session = sessions[lease.connection], session.lease == lease else { return .lost }
        counts.shared += 1
        let joined = groups.firstIndex {
            session.server != nil && $0.session.server == session.server && $0.session.number < start.sessions
        }
        if let joined {
            groups[joined].gathered.append(request)
            return .hold
        }
        counts.commits += 1
        groups.append(Group(session: session, covered: [request]))
        return .holdAndCommit
    }

    /// A durable commit was answered.
    mutating func committed(on lease: Lease) -> Committed {
        guard let index = groups.firstIndex(where: { $0.session.lease == lease }) else {
            return Committed(answers: [], goesOn: false)
        }
        let answers = groups[index].covered
        groups[index].covered = groups[index].gathered
        groups[index].gathered = []
        let goesOn = !groups[index].covered.isEmpty
        if goesOn { counts.commits += 1 } else { groups.remove(at: index) }
        return Committed(answers: answers, goesOn: goesOn)
    }
}
