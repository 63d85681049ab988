import GraphQL

/// Decides how a request of single connection mode is handled.
/// graphql-sse, Single connection mode
struct SingleConnectionMode {
    enum Outcome {
        case answer(GraphQLAnswer)
        /// The request reserves a stream. The closure authenticates the client, reserves the stream and returns the
        /// answer.
        case reservation(@Sendable (EventLoopExecutor) async -> GraphQLAnswer)
        /// The request opens the stream: the stream is the response.
        case stream(EventStream)
        case operation(GraphQLRequest, id: String, EventStream)
    }

    private let environment: TransportEnvironment

    init(_ environment: TransportEnvironment) { self.environment = environment }

    func outcome(of head: RequestHead, _ body: RequestBody) -> Outcome {
        let stream = EventStreamRules.token(of: head).flatMap { environment.eventStreams[$0] }
        if head.method == .PUT {
            if stream != nil { return .answer(.refusal(.conflict, "Stream already registered")) }
            return .reservation { [environment] executor in await Self.reserve(head, environment, on: executor) }
        }
        guard let stream else { return .answer(.streamNotFound) }
        switch head.method {
        case .DELETE:
            guard let id = (try? QueryString(head.query))?["operationId"], !id.isEmpty else {
                return .answer(.refusal(.badRequest, "Operation ID is missing"))
            }
            stream.stop(id)
            return .answer(GraphQLAnswer(status: .ok, contentType: "", body: []))
        case .GET where EventStreamRules.opensStream(head):
            return stream.open() ? .stream(stream) : .answer(.refusal(.conflict, "Stream already open"))
        default: return operation(of: head, body, over: stream)
        }
    }

    private func operation(of head: RequestHead, _ body: RequestBody, over stream: EventStream) -> Outcome {
        let request: GraphQLRequest
        do { request = try environment.endpoint.request(head, body) } catch {
            return .answer(.refusal(.badRequest, error.message))
        }
        guard case .string(let id)? = request.extensions["operationId"], !id.isEmpty else {
            return .answer(.refusal(.badRequest, "Operation ID is missing"))
        }
        return .operation(request, id: id, stream)
    }

    private static func reserve(
        _ head: RequestHead, _ environment: TransportEnvironment, on executor: EventLoopExecutor
    ) async -> GraphQLAnswer {
        switch await environment.endpoint.authentication(of: head) {
        case .refused(let errors):
            let refused = RefusalStatus(errors)
            return GraphQLAnswer(
                status: refused.status, contentType: GraphQLMediaType.json.contentType, headers: refused.headers,
                errors: errors)
        case .granted:
            let stream = await executor.eventLoop.perform { environment.eventStreams.reserve(on: executor) }
            guard let stream else {
                return .refusal(.serviceUnavailable, "Too many streams are reserved.", code: .unavailable)
            }
            return GraphQLAnswer(
                status: .created, contentType: "text/plain; charset=utf-8", body: Array(stream.token.utf8))
        }
    }
}
