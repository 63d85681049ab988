/// The segments in flight in one session. It assigns each answer of the server to its segment.
///
/// A segment is sent as its Parse messages, its settings, its statements and a Sync. The server answers in that order:
/// a result and an end for each command, and one answer for the Sync. After an error the server skips all commands up
/// to the Sync. PostgreSQL's manual, "Extended Query", "Pipelining". Like `PoolState`, this is a pure state machine without lock,
/// thread, clock or libpq.
struct PipelineState<Request> {
    struct Segment {
        let request: Request
        let deadline: Instant
        let sentAt: Instant
        /// The statements that the segment prepares; their Parse messages come first in it.
        var preparing: [PreparedStatement] = []
        var hasSettings = false
        /// The prepared statements that the segment runs behind its settings; nil for one that is not prepared.
        var first: PreparedStatement?
        var rest: [PreparedStatement?] = []
        /// Whether the segment may be sent once more when the server has lost one of its prepared statements.
        var canBeSentAgain = true

        fileprivate var commandsAnswered = 0
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
    }

    struct Failure {
        let request: Request
        /// The statement that failed, from 0; nil for the settings or a Parse.
        let statement: Int?
        /// The statement whose Parse failed.
        let unprepared: PreparedStatement?
    }

    enum End {
        case completed(Request)
        /// The server had lost a prepared statement, or its result type has changed. The statements must be prepared
        /// again.
        case completedUnprepared(Request)
        /// As `completedUnprepared`, but no statement of the segment has taken effect, so the segment is to be sent
        /// again.
        case sendAgain(Request)
    }

    private var segments = Ring<Segment>()
    private var lastHeard: Instant

    init(now: Instant) { lastHeard = now }

    var count: Int { segments.count }
    var isEmpty: Bool { segments.isEmpty }

    mutating func sent(_ segment: Segment) { segments.append(segment) }

    // MARK: Answers

    mutating func heard(now: Instant) { lastHeard = now }

    mutating func commandEnded() { segments.modifyFirst { $0.commandsAnswered += 1 } }

    /// The request that a result belongs to; nil for the result of a Parse or of the settings.
    func resultArrived() -> Request? {
        guard let first = segments.first, first.statement != nil else { return nil }
        return first.request
    }

    /// The types of the columns of the command that is being answered; empty where its statement is not prepared.
    var columnTypes: [UInt32] {
        guard let segment = segments.first, let number = segment.statement else { return [] }
        if number == 0 { return segment.first?.columns ?? [] }
        return number <= segment.rest.count ? segment.rest[number - 1]?.columns ?? [] : []
    }

    mutating func commandFailed(hasLostItsPlan: Bool) -> Failure? {
        segments.modifyFirst { $0.hasLostItsPlan = hasLostItsPlan }
        let unprepared = commandSkipped()
        return segments.first.map { Failure(request: $0.request, statement: $0.statement, unprepared: unprepared) }
    }

    /// The statement that was not prepared, if the skipped or failed command was a Parse; nil for another command.
    func commandSkipped() -> PreparedStatement? { statementInPreparation }

    /// The statement whose Parse is the command that is being answered; nil for another command.
    var statementInPreparation: PreparedStatement? {
        guard let first = segments.first, first.commandsAnswered < first.preparing.count else { return nil }
        return first.preparing[first.commandsAnswered]
    }

    /// Called for the answer to a Sync, which ends the segment.
    mutating func synced(isDecided: (Request) -> Bool = { _ in false }) -> End? {
        guard let segment = segments.popFirst() else { return nil }
        guard segment.hasLostItsPlan else { return .completed(segment.request) }
        return segment.canBeSentAgain && !isDecided(segment.request)
            ? .sendAgain(segment.request) : .completedUnprepared(segment.request)
    }

    // MARK: Time and the end

    /// Calls `body` with the request of each segment past its deadline. The server's answer is still to come.
    func overdue(now: Instant, _ body: (Request) -> Void) {
        segments.forEach { if $0.deadline < now { body($0.request) } }
    }

    /// Whether an answer is due and the server has sent nothing for the deadline and the grace together.
    func isSilent(now: Instant, deadline: Duration, grace: Duration) -> Bool {
        guard let first = segments.first else { return false }
        let expected = max(max(lastHeard, first.sentAt) + deadline, first.deadline)
        return expected + grace < now
    }

    mutating func removeAll() -> [Request] { segments.removeAll().map(\.request) }
}
