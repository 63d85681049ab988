import Synchronization

/// A segment that was handed to the pool, with the task that waits for its outcome.
///
/// The outcome is decided by the first of four: the server's answer, the deadline, a cancellation, or the loss of the
/// connection. `claimed` ensures that only one of them does. `phase` passes the outcome to the waiting task, whether
/// the task begins to wait before or after the outcome is decided.
@usableFromInline
final class Request: @unchecked Sendable {
    enum Outcome {
        case results(first: QueryResult?, rest: [QueryResult])
        case failure(any Error)

        /// The rows that all statements returned or affected; nil for a failure.
        var rowCount: Int? {
            switch self {
            case .results(let first, let rest):
                ((first.map { [$0] } ?? []) + rest).reduce(0) { $0 + $1.affected }
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
    /// nil for a reservation.
    private let source: SegmentSource?
    /// The same for statements of one type, or segments of one file.
    let kind: Int
    /// The faults of the pool's statements.
    let columnFaults: ColumnFaults?
    /// Whether the request asks for an exclusive lease of a connection, or runs on a connection so leased.
    let isExclusive: Bool
    /// nil unless the task of the caller is traced.
    private let trace: StatementTrace.Running?

    /// The lease that a reservation gets. It is set before the outcome is decided.
    var lease: Lease?

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
        settings: SQL?, first: SQL?, rest: [SQL], deadline: Instant, source: SegmentSource? = nil,
        isExclusive: Bool = false, columnFaults: ColumnFaults? = nil, trace: StatementTrace.Running? = nil
    ) {
        self.settings = settings
        self.first = first
        self.rest = rest
        self.deadline = deadline
        self.source = source
        kind = source?.kind ?? 0
        self.isExclusive = isExclusive
        self.columnFaults = columnFaults
        self.trace = trace
    }

    /// Whether the request only asks for an exclusive lease, and sends nothing.
    var isReservation: Bool { isExclusive && first == nil }
    /// Whether a statement has more than 65,535 parameters, the most that the protocol's 16-bit count can express.
    var hasTooManyParameters: Bool {
        (settings?.parameters.count ?? 0) > 65535 || (first?.parameters.count ?? 0) > 65535
            || rest.contains { $0.parameters.count > 65535 }
    }
    /// The name of the statement's type, or of the file of the segment.
    var name: String { source?.name ?? "" }
    /// A statement of the segment, counted from 0 without its settings.
    func statement(_ index: Int) -> SQL? { index == 0 ? first : rest.dropFirst(index - 1).first }
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
