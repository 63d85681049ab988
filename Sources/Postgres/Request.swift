import Synchronization

/// A segment that was handed to the pool. Its caller waits here for the outcome.
///
/// `claimed` lets exactly one of the answer, the deadline, a cancellation and the loss of the connection decide the
/// outcome. `phase` passes the outcome to the waiting task, whether it or the outcome comes first.
@usableFromInline
final class Request: @unchecked Sendable {
    enum Outcome {
        case results(first: QueryResult?, rest: [QueryResult])
        case failure(any Error)

        /// The rows that all statements returned or affected; nil for a failure.
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
    let deadline: Instant
    /// Whether the request asks for a connection that is lent to its caller, or runs on such a connection.
    let isExclusive: Bool
    /// nil unless the task of the caller is traced.
    private let trace: StatementTrace.Running?

    /// The lease of the connection that a reservation gets; set before its outcome.
    var lease: Lease?

    // Before the outcome only the owner of the request's session reads and writes these.
    private(set) var firstResult: QueryResult?
    private(set) var results: [QueryResult] = []
    var error: ServerError?

    private let claimed = Atomic<Bool>(false)
    private let phase = Atomic<Int>(Phase.pending)
    private var continuation: UnsafeContinuation<Void, Never>?
    private var outcome: Outcome = .failure(PostgresError.unavailable)

    init(
        settings: SQL?, first: SQL?, rest: [SQL], deadline: Instant, isExclusive: Bool = false,
        trace: StatementTrace.Running? = nil
    ) {
        self.settings = settings
        self.first = first
        self.rest = rest
        self.deadline = deadline
        self.isExclusive = isExclusive
        self.trace = trace
    }

    /// Whether the request only asks for a connection to be lent, and sends nothing.
    var isReservation: Bool { isExclusive && first == nil }
    /// The protocol counts the values of a statement in 16 bits.
    var hasTooManyParameters: Bool {
        (settings?.parameters.count ?? 0) > 65535 || (first?.parameters.count ?? 0) > 65535
            || rest.contains { $0.parameters.count > 65535 }
    }
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

    /// Fails the request because its session has ended. The outcome is known where the server had refused the segment
    /// before.
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
