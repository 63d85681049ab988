import Synchronization

/// A segment that was handed to the pool, with the task that waits for its outcome.
///
/// The outcome is decided by what comes first: the server's answer, the deadline, a cancellation, the loss of the
/// connection, or the pool's refusal. `claimed` ensures that the outcome is decided once. `phase` passes the outcome to
/// the waiting task, whether the task begins to wait before or after the outcome is decided.
@usableFromInline
final class Request: @unchecked Sendable {
    enum Outcome {
        case results(first: QueryResult?, rest: [QueryResult])
        case failure(any Error)

        /// The number of rows that all statements returned or affected; nil for a failure.
        var rowCount: Int? {
            switch self {
            case .results(let first, let rest):
                ((first.map { [$0] } ?? []) + rest).reduce(0) { $0 + Rows($1).affected }
            case .failure: nil
            }
        }
    }

    private enum Phase {
        static let pending = 0
        static let waiting = 1
        static let done = 2
    }

    let settings: SQL?
    let first: SQL?
    let rest: [SQL]
    let startedAt: Instant
    let deadline: Instant
    /// A number that only requests of the same statement type or source file share.
    let kind: Int
    /// True where the request asks for an exclusive lease of a connection, or runs on a connection so leased.
    let isExclusive: Bool
    let rule: CommitRule
    /// True for a durable commit for which held answers wait.
    let isDurableCommit: Bool
    /// nil unless the task of the caller is traced.
    private let trace: StatementTrace.Running?

    /// The lease that a reservation gets. It is set before the outcome is decided.
    var lease: Lease?
    /// True once the request had to wait for a connection. It is set before the segment is sent.
    var hasWaited = false
    /// How the segment is sent; nil for an ordinary commit. It is set before the segment is sent.
    var commit: CommitState<Request>.Start?

    // Until the outcome is decided, only the owner of the request's database session accesses `firstResult`, `results`
    // and `error`.
    private(set) var firstResult: QueryResult?
    private(set) var results: [QueryResult] = []
    var error: ServerError?

    private let claimed = Atomic<Bool>(false)
    private let phase = Atomic<Int>(Phase.pending)
    private var continuation: UnsafeContinuation<Void, Never>?
    private var outcome: Outcome = .failure(PostgresError.unavailable)

    init(
        settings: SQL?, first: SQL?, rest: [SQL], startedAt: Instant, deadline: Instant, kind: Int = 0,
        isExclusive: Bool = false, rule: CommitRule = .ordinary, isDurableCommit: Bool = false,
        trace: StatementTrace.Running? = nil
    ) {
        self.settings = settings
        self.first = first
        self.rest = rest
        self.startedAt = startedAt
        self.deadline = deadline
        self.kind = kind
        self.isExclusive = isExclusive
        self.rule = rule
        self.isDurableCommit = isDurableCommit
        self.trace = trace
    }

    /// True where the request only asks for an exclusive lease, and sends nothing.
    var isReservation: Bool { isExclusive && first == nil }
    /// True where a statement has more than 65,535 parameters, the most that the protocol's 16-bit count can express.
    var hasTooManyParameters: Bool {
        (settings?.parameters.count ?? 0) > 65535 || (first?.parameters.count ?? 0) > 65535
            || rest.contains { $0.parameters.count > 65535 }
    }
    /// The settings with that of the commit.
    var settingsAsSent: SQL? { commit?.mode.settings(settings) ?? settings }
    var statementCount: Int { (first == nil ? 0 : 1) + rest.count }
    var isDecided: Bool { claimed.load(ordering: .relaxed) }

    // MARK: Answers

    func keep(_ result: QueryResult) {
        if firstResult == nil { firstResult = result } else { results.append(result) }
    }

    /// Drops all answers before the segment is sent again.
    func forgetAnswers() {
        firstResult = nil
        results = []
        error = nil
    }

    // MARK: Outcome

    /// Makes the server's answers the outcome.
    func finishWithAnswers() {
        if let error {
            finish(.failure(PostgresError.server(error)))
        } else {
            finish(.results(first: firstResult, rest: results))
        }
    }

    /// Fails the request because its database session has ended. If the server had already sent an error, the segment
    /// is known to be rolled back; otherwise it is unknown whether the segment was committed.
    func finishWithoutAnswers() {
        finish(.failure(PostgresError.connectionLost(outcomeUnknown: error == nil)))
    }

    /// - Returns: whether the outcome was still undecided.
    @discardableResult
    func finish(_ outcome: Outcome) -> Bool {
        guard !claimed.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        self.outcome = outcome
        trace?.end(rows: outcome.rowCount)
        if phase.exchange(Phase.done, ordering: .acquiringAndReleasing) == Phase.waiting {
            continuation?.resume()
        }
        return true
    }

    /// Waits for the outcome. A single task may wait.
    private func wait() async throws -> Outcome {
        if phase.load(ordering: .acquiring) != Phase.done {
            await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    self.continuation = continuation
                    let (exchanged, found) = phase.compareExchange(
                        expected: Phase.pending, desired: Phase.waiting, ordering: .acquiringAndReleasing)
                    if !exchanged {
                        precondition(found == Phase.done, "a pending result is awaited by one task")
                        continuation.resume()
                    }
                }
            } onCancel: {
                finish(.failure(CancellationError()))
            }
        }
        return outcome
    }

    /// The result of the only statement.
    @usableFromInline
    func result() async throws -> QueryResult {
        switch try await wait() {
        case .results(let first?, _): return first
        case .results(nil, _): throw PostgresError.unavailable
        case .failure(let error): throw error
        }
    }

    func allResults() async throws -> [QueryResult] {
        switch try await wait() {
        case .results(let first?, let rest): return [first] + rest
        case .results(nil, let rest): return rest
        case .failure(let error): throw error
        }
    }
}
