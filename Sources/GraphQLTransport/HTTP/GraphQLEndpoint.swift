import GraphQL
import NIOCore
import NIOHTTP1

/// The calls that a client connection makes to the schema. The protocol hides the type of the request's context.
protocol GraphQLEndpoint: Sendable {
    /// The answer to a request that is refused by its head alone; nil for any other request.
    func refusal(of head: RequestHead) -> GraphQLAnswer?

    /// The answer to a request. A client that prefers an event stream gets its answer by `perform` instead.
    func answer(_ head: RequestHead, body: RequestBody) -> PendingAnswer

    /// The request in the query string of a GET or the body of a POST.
    func request(_ head: RequestHead, _ body: RequestBody) throws(MalformedRequest) -> GraphQLRequest

    /// The answer to a request that took too long.
    func timeout(of head: RequestHead) -> GraphQLAnswer

    /// The answer to a streaming request that is refused before its stream begins.
    func refusal(_ errors: [GraphQLError], of head: RequestHead, _ summary: OperationSummary) -> GraphQLAnswer

    /// The answer that carries a whole response.
    func answer(_ response: GraphQL.Response, _ mediaType: GraphQLMediaType) -> GraphQLAnswer

    /// Checks the credentials of a client that runs several operations over one WebSocket or event stream.
    func authentication(of head: RequestHead) async -> Authentication

    /// Runs an operation of any type.
    /// - Parameter format: the format of a response in several parts.
    /// - Parameter deliver: sends one event, as in `OperationRun`.
    /// - Returns: the events that `OperationRun` returns.
    func perform(
        _ request: GraphQLRequest, _ head: RequestHead, format: IncrementalFormat,
        deliver: (OperationEvent) async -> Bool
    ) async -> OperationEvents?
}

/// Runs an operation of any type.
/// - Parameter deliver: sends one event; the operation ends if it returns false.
/// - Returns: the events that follow the event `streaming`; nil if the operation has no source stream, or if `deliver`
///   returned false.
typealias OperationRun = @Sendable (_ deliver: (OperationEvent) async -> Bool) async -> OperationEvents?

/// The answer to a request, or a closure that awaits it. An answer that is ready needs no task.
enum PendingAnswer: Sendable {
    case ready(EndpointAnswer)
    case waiting(@Sendable () async -> EndpointAnswer)
}

enum EndpointAnswer: Sendable {
    case whole(GraphQLAnswer)
    /// The answer is a stream of the responses of this operation, whose document and client are already checked.
    case stream(StreamFormat, OperationRun)
}

/// A request's body, read to its end.
enum RequestBody: Sendable {
    case bytes(ByteBuffer)
    case multipart(MultipartRequest)
}

extension GraphQLAnswer {
    /// A refusal for a reason of HTTP. Its body is a GraphQL error, so that a client reads it like any other error.
    static func refusal(
        _ status: HTTPResponseStatus, _ message: String, code: ErrorCode = .badRequest,
        headers: [(name: String, value: String)] = []
    ) -> GraphQLAnswer {
        GraphQLAnswer(
            status: status, contentType: GraphQLMediaType.json.contentType, headers: headers,
            errors: [GraphQLError(message, code: code)])
    }

    /// An answer whose response has errors and no data.
    /// Spec: 7.1 Response Format, "request error result"
    init(
        status: HTTPResponseStatus, contentType: String, headers: [(name: String, value: String)] = [],
        errors: [GraphQLError], extensions: InputObject = InputObject(), summary: OperationSummary = OperationSummary()
    ) {
        let response = Response(RequestError(errors), extensions: extensions)
        self.init(status: status, contentType: contentType, headers: headers, body: response.body)
        self.summary = summary
        self.summary.errorCodes = errors.compactMap(\.code)
        self.summary.outcome = status.code >= 500 ? .failed : .refused
    }
}

extension GraphQLError {
    /// `extensions.code`
    var code: String? { if case .string(let code)? = extensions["code"] { code } else { nil } }
}
