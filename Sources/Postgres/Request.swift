import Synchronization

/// A segment on its way, and the place where its caller waits.
///
/// `claimed` lets exactly one of answer, deadline, cancellation and loss decide the outcome;
/// `phase` hands the outcome to the waiter, whichever of the two comes first.
@usableFromInline
final class Request: @unchecked Sendable {
    enum Outcome {
        case results(first: QueryResult?, rest: [QueryResult])
        case failure(any Error)
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
    /// Runs on a connection that its caller holds alone.
    let isExclusive: Bool

    /// The lease of a request for a connection alone; set before its outcome.
    var lease: Lease?

    // Touched by the owner of the session that the request is in flight in, and by nobody else before the outcome.
    private(set) var firstResult: QueryResult?
    private(set) var results: [QueryResult] = []
    var error: ServerError?

    private let claimed = Atomic<Bool>(false)
    private let phase = Atomic<Int>(Phase.pending)
    private var continuation: UnsafeContinuation<Void, Never>?
    private var outcome: Outcome = .failure(PostgresError.unavailable)

    init(settings: SQL?, first: SQL?, rest: [SQL], deadline: Instant, isExclusive: Bool = false) {
        self.settings = settings
        self.first = first
        self.rest = rest
        self.deadline = deadline
        self.isExclusive = isExclusive
    }

    /// Asks for a connection alone and sends nothing.
    var isReservation: Bool { isExclusive && first == nil }
    /// The protocol counts a statement's values in 16 bits.
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

    /// Before the segment is sent again.
    func forgetAnswers() {
        firstResult = nil
        results = []
        error = nil
    }

    // MARK: Outcome

    /// The server's answers are the outcome.
    func finishWithAnswers() {
        if let error {
            finish(.failure(PostgresError.server(error)))
        } else {
            finish(.results(first: firstResult, rest: results))
        }
    }

    /// The session ended. A segment that the server had refused before has no effect.
    func finishWithoutAnswers() {
        finish(.failure(PostgresError.connectionLost(outcomeUnknown: error == nil)))
    }

    /// Whether this was the first word on the outcome.
    @discardableResult
    func finish(_ outcome: Outcome) -> Bool {
        guard !claimed.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        self.outcome = outcome
        if phase.exchange(Phase.done, ordering: .acquiringAndReleasing) == Phase.waiting {
            continuation?.resume()
        }
        return true
    }

    /// Waits for the outcome. One task at a time.
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
