import GraphQL
import NIOHTTP1

/// The whole answer to a GraphQL request, ready to be written.
struct GraphQLAnswer: Sendable {
    var status: HTTPResponseStatus
    var contentType: String
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]
    var summary = OperationSummary()
    /// Whether the body is an HTML page, which brings a content security policy of its own.
    var isHTML = false
    /// Whether the request was refused because there was too much to do. Such a request is counted by a metric of its
    /// own, and is not logged.
    var isOverLimit = false
    /// Whether the connection is closed after the answer, because the rest of the request's body is not worth reading.
    var closesConnection = false
}

/// The facts about an operation for the log and the metrics. Values of variables are never among them.
struct OperationSummary: Sendable {
    var type: OperationType?
    var name: String?
    var documentHash: String?
    var errorCodes: [String] = []
    var outcome = Outcome.success

    enum Outcome: Int, CaseIterable {
        case success
        /// The response has errors beside its data.
        case partial
        /// The request was refused before anything ran.
        case refused
        /// The server failed, by an internal error or a timeout.
        case failed
    }

    mutating func note(_ response: GraphQL.Response) {
        if response.errors.isEmpty { return }
        errorCodes = response.errors.compactMap(\.code)
        outcome = errorCodes.contains(ErrorCode.internalServerError.rawValue) ? .failed : .partial
    }
}
