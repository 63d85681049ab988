import GraphQL
import NIOHTTP1

/// The whole answer to a GraphQL request, ready to be written.
struct GraphQLAnswer: Sendable {
    var status: HTTPResponseStatus
    var contentType: String
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]
    var summary = OperationSummary()
    /// True where the body is an HTML page, which brings a content security policy of its own.
    var isHTML = false
    /// True where the request was refused because the server had too much to do. Such a request is counted by a metric
    /// of its own, and is not logged.
    var isOverLimit = false
    /// True where the connection is closed after the answer, because the rest of the request's body is not worth
    /// reading.
    var closesConnection = false
}

/// The facts about an operation for the log and the metrics. Values of variables are never among them.
struct OperationSummary: Sendable {
    /// nil where the operation is not known.
    var operation: IdentifiedOperation?
    var errorCodes: [String] = []
    var outcome = OperationOutcome.success
    /// Carried to the place where the answer is recorded; nil for an operation that is not observed.
    var observer: (any OperationObserver)?

    var type: OperationType? { operation?.type }
    var name: String? { operation?.name }
    var documentHash: String? { operation?.documentHash }

    /// Tells the observer of the answer, also where the answer is neither counted nor logged.
    func tellObserver(after duration: Duration) {
        observer?.answered(AnsweredOperation(outcome: outcome, errorCodes: errorCodes, duration: duration))
    }

    /// Adds the errors of a response, or of one of its parts.
    mutating func note(_ response: GraphQL.Response) {
        if response.errors.isEmpty { return }
        errorCodes += response.errors.compactMap(\.code)
        outcome = errorCodes.contains(ErrorCode.internalServerError.rawValue) ? .failed : .partial
    }
}

extension OperationSummary {
    init(observer: (any OperationObserver)?) { self.observer = observer }

    /// The observer of the operation's execution, joined with the one that `observe` makes if the request asks for it.
    func observer<Context>(
        beside observe: (@Sendable (Context) async throws -> any ExecutionObserver)?, _ context: Context
    ) async throws -> (any ExecutionObserver)? {
        guard let observe else { return observer }
        let asked = try await observe(context)
        return observer.map { ObserverPair($0, asked) } ?? asked
    }
}

extension CachedOperation {
    /// The facts about the operation, for a request that may be observed.
    func summary(for observer: (any OperationObserver)?) -> OperationSummary {
        guard let observer else { return summary }
        observer.identified(identity)
        var summary = summary
        summary.observer = observer
        return summary
    }
}
