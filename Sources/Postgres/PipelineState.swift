/// Keeps the segments in flight of one database session, and assigns each answer of the server to its segment.
///
/// A segment is sent as its Parse messages, its settings, its statements and a Sync. Its commands are all of these but
/// the Sync. The server answers in that order: a result and an end for each command, and one answer for the Sync. After
/// an error the server skips all commands up to the Sync.
///
/// Like `PoolState`, this is a pure state machine without lock, thread, clock or libpq.
///
/// Source: PostgreSQL's manual, "Pipeline Mode"
struct PipelineState<Request> {
    struct Segment {
        let request: Request
        let deadline: Instant
        let sentAt: Instant
        /// The statements that the segment prepares; their Parse messages come first in it.
        var preparing: [PreparedStatement] = []
        var hasSettings = false
        /// The prepared statements that the segment executes, in this order. nil for a statement that is absent, or
        /// that is sent as text and not prepared.
        var settings: PreparedStatement?
        var first: PreparedStatement?
        var rest: [PreparedStatement?] = []
        /// True where the segment may be sent once more when the server has lost one of its prepared statements, or the
        /// result type of one has changed.
        var canBeSentAgain = true

        fileprivate var commandsAnswered = 0
        /// True once a command failed because the server had lost a prepared statement, or because the statement's
        /// result type has changed.
        fileprivate var hasLostItsPlan = false

        init(_ request: Request, deadline: Instant, sentAt: Instant) {
            self.request = request
            self.deadline = deadline
            self.sentAt = sentAt
        }

        /// The index of the statement to which the next answer belongs, from 0; nil for a Parse or the settings.
        fileprivate var statement: Int? {
            let number = commandsAnswered - preparing.count - (hasSettings ? 1 : 0)
            return number >= 0 ? number : nil
        }

        /// The prepared statements of the next answer's command and of all commands after it; empty for a Parse.
        fileprivate var statementsLeft: ArraySlice<PreparedStatement?> {
            let executed = commandsAnswered - preparing.count
            return executed < 0 ? [] : ((hasSettings ? [settings] : []) + [first] + rest).dropFirst(executed)
        }
    }

    struct Failure {
        let request: Request
        /// The statement that failed, from 0; nil for the settings or a Parse.
        let statement: Int?
        /// The statement whose Parse failed; nil if another command failed.
        let unprepared: PreparedStatement?
        /// The prepared statement that the server has lost, or whose result type has changed; nil for other failures.
        var withoutPlan: PreparedStatement?
        /// The prepared statements to be prepared again: `withoutPlan`, and those that the server has skipped and the
        /// segment did not prepare itself. A skipped statement may be lost as well, and the segment is sent again only
        /// once. The others were executed before the failure, or have just been prepared.
        var inDoubt: [PreparedStatement] = []
    }

    enum End {
        case completed(Request)
        /// The segment failed because the server had lost a prepared statement, or because the statement's result type
        /// has changed. The segment is to be sent once more. No statement of it has taken effect, because a segment is
        /// one transaction.
        case sendAgain(Request)
    }

    private var segments = Ring<Segment>()
    private var lastHeard: Instant

    init(now: Instant) { lastHeard = now }

    var count: Int { segments.count }
    var isEmpty: Bool { segments.isEmpty }

    mutating func sent(_ segment: Segment) { segments.append(segment) }

    /// True where a segment in flight prepares the statement, so that the preparation may still fail.
    func isPreparing(_ statement: PreparedStatement) -> Bool {
        var isPreparing = false
        segments.forEach { segment in
            if segment.preparing.contains(where: { $0 === statement }) { isPreparing = true }
        }
        return isPreparing
    }

    // MARK: Answers

    mutating func heard(now: Instant) { lastHeard = now }

    mutating func commandEnded() { segments.modifyFirst { $0.commandsAnswered += 1 } }

    /// The request that a result belongs to; nil for the result of a Parse or of the settings.
    func resultArrived() -> Request? {
        guard let first = segments.first, first.statement != nil else { return nil }
        return first.request
    }

    mutating func commandFailed(hasLostItsPlan: Bool) -> Failure? {
        segments.modifyFirst { $0.hasLostItsPlan = hasLostItsPlan }
        let unprepared = commandSkipped()
        return segments.first.map { segment in
            var failure = Failure(request: segment.request, statement: segment.statement, unprepared: unprepared)
            let left = segment.statementsLeft
            guard hasLostItsPlan, case let lost?? = left.first else { return failure }
            failure.withoutPlan = lost
            failure.inDoubt = [lost]
            for case let next? in left.dropFirst() where !segment.preparing.contains(where: { $0 === next }) {
                failure.inDoubt.append(next)
            }
            return failure
        }
    }

    /// The statement that was not prepared, if the skipped or failed command was a Parse; nil for another command.
    func commandSkipped() -> PreparedStatement? {
        guard let first = segments.first, first.commandsAnswered < first.preparing.count else { return nil }
        return first.preparing[first.commandsAnswered]
    }

    /// Called for the answer to a Sync, which ends the segment.
    /// - Parameter isDecided: whether the request has ended already, for example because its deadline passed. Sending
    ///   the segment again would then serve nobody.
    mutating func synced(isDecided: (Request) -> Bool = { _ in false }) -> End? {
        guard let segment = segments.popFirst() else { return nil }
        let isSentAgain = segment.hasLostItsPlan && segment.canBeSentAgain && !isDecided(segment.request)
        return isSentAgain ? .sendAgain(segment.request) : .completed(segment.request)
    }

    // MARK: Time and the end

    /// Calls `body` with the request of each segment past its deadline. The server's answer is still to come.
    func overdue(now: Instant, _ body: (Request) -> Void) {
        segments.forEach { if $0.deadline < now { body($0.request) } }
    }

    /// True where the server has been silent for longer than `deadline` and `grace` together. The time counts from the
    /// server's last message, or from when the oldest segment in flight was sent, if that was later. The deadline of
    /// that segment must also have passed more than `grace` ago.
    func isSilent(now: Instant, deadline: Duration, grace: Duration) -> Bool {
        guard let first = segments.first else { return false }
        let expected = max(max(lastHeard, first.sentAt) + deadline, first.deadline)
        return expected + grace < now
    }

    mutating func removeAll() -> [Request] { segments.removeAll().map(\.request) }
}
