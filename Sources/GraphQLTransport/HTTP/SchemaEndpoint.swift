import GraphQL
import Logging
import NIOCore
import NIOHTTP1

/// Answers requests by executing them against a schema.
struct SchemaEndpoint<Context: ExecutionContext>: GraphQLEndpoint {
    let pipeline: DocumentPipeline<Context>
    let settings: ServerSettings
    let logger: Logger
    let authenticate: @Sendable (RequestHead) async throws -> Context
    let authenticateSynchronously: @Sendable (RequestHead) throws -> Context?
    let runsAfterSession: @Sendable (_ field: String, _ arguments: InputObject) -> Bool
    let holdBackEvents: @Sendable (RequestHead) -> (@Sendable () -> Void)?
    let allowsIntrospection: @Sendable (Context) -> Bool
    let isMember: @Sendable (Context) -> Bool
    let observe: (@Sendable (Context) async throws -> any ExecutionObserver)?
    let responseHeaders: (@Sendable (Context) -> [(name: String, value: String)])?
    /// nil where every operation is admitted.
    let admission: Admission?

    func refusal(of head: RequestHead) -> GraphQLAnswer? {
        RequestRules.refusal(
            of: head, hasPage: settings.isPlaygroundEnabled, takesUploads: settings.uploads != nil)
    }

    func answer(_ head: RequestHead, body: RequestBody) -> PendingAnswer {
        if settings.isPlaygroundEnabled, head.method != .POST, head.accepted.prefersPage {
            return .ready(PlaygroundPage.answer)
        }
        let mediaType = head.accepted.mediaType ?? .json
        let request: GraphQLRequest
        do { request = try self.request(head, body) } catch { return .ready(.refusal(.badRequest, error.message)) }
        do {
            if let context = try authenticateSynchronously(head) {
                return answer(request, head, mediaType, context, after: nil)
            }
        } catch let ended as EndedSession<Context> {
            return answer(request, head, mediaType, ended.context, after: ended)
        } catch {
            return .ready(refusal(errors(of: error, head), mediaType, OperationSummary()))
        }
        return .waiting {
            let pending: PendingAnswer
            do {
                pending = answer(request, head, mediaType, try await authenticate(head), after: nil)
            } catch let ended as EndedSession<Context> {
                pending = answer(request, head, mediaType, ended.context, after: ended)
            } catch {
                return refusal(errors(of: error, head), mediaType, OperationSummary())
            }
            switch pending {
            case .ready(let answer): return answer
            case .waiting(let answer): return await answer()
            }
        }
    }

    /// - Parameter session: the ended session whose credentials the request has; nil for any other request.
    private func answer(
        _ request: GraphQLRequest, _ head: RequestHead, _ mediaType: GraphQLMediaType, _ context: Context,
        after session: EndedSession<Context>?
    ) -> PendingAnswer {
        // nil as soon as the operation is known to run after a session.
        var ended = session
        var summary = OperationSummary()
        var extensions = InputObject()
        do {
            let operation = try self.operation(of: request, context)
            summary = operation.summary
            if let ended, operation.type != .mutation { throw ended.error }
            if !request.asksOnlyToCheck, let refusal = refusal(of: operation.type, head) { return .ready(refusal) }
            let (plan, variables, metrics) = try plan(for: operation, request, &extensions)
            try refuse(operation, variables, after: ended)
            ended = nil
            if request.asksOnlyToCheck {
                return .ready(answer(Response(ofCheck: extensions), mediaType, context, summary))
            }
            let observe = request.asksForPlan ? observe : nil
            if observe == nil,
                let response = operation.schemaResponse(plan, context: context, extensions: extensions)
                    ?? executeWithoutWaiting(
                        plan, variables: variables, context: context, extensions: extensions)
            {
                return .ready(answer(response, mediaType, context, summary))
            }
            let entry = try admit(operation.type, metrics, context)
            return .waiting { [summary, extensions] in
                do {
                    let response = try await entry.run {
                        try await execute(
                            plan, variables: variables, context: context, extensions: extensions,
                            observer: try await observe?(context))
                    }
                    let refused = Overload.refusal(response, to: operation.type, rootFields: metrics?.rootFields)
                    if let refused { throw refused }
                    return answer(response, mediaType, context, summary)
                } catch {
                    return refusal(errors(of: error, head), mediaType, summary, extensions)
                }
            }
        } catch {
            let error = ended?.error(insteadOf: error) ?? error
            return .ready(refusal(errors(of: error, head), mediaType, summary, extensions))
        }
    }

    /// The operation of a request. A document that is not in the cache is not parsed if the server has too much to do.
    func operation(of request: GraphQLRequest, _ context: Context) throws(RequestError) -> CachedOperation<Context> {
        try pipeline.operation(of: request, allowsIntrospection: allowsIntrospection(context)) {
            () throws(RequestError) in try admission?.admitParsing(isMember: isMember(context))
        }
    }

    func admit(
        _ type: OperationType, _ metrics: QueryMetrics?, _ context: Context
    ) throws(RequestError) -> AdmissionEntry {
        guard let admission else { return .unlimited }
        return try admission.enter(RequestClass(type, cost: metrics?.cost, isMember: isMember(context)))
    }

    /// The plan, the coerced variables and the metrics of a request whose operation is within the limits.
    /// - Parameter format: the format of a response in several parts; nil for a response in one piece.
    /// - Parameter extensions: the extensions of the response or the refusal. The operation's cost is added where the
    ///   client asks for it.
    func plan(
        for operation: CachedOperation<Context>, _ request: GraphQLRequest, _ extensions: inout InputObject,
        format: IncrementalFormat? = nil
    ) throws(RequestError) -> (plan: Plan<Context>, variables: [String: InputValue], metrics: QueryMetrics?) {
        let prepared = operation.prepared
        let variables = try coerceVariableValues(
            pipeline.schema.schema, prepared.operation.variableDefinitions, request.variables,
            source: prepared.document.source)
        guard let metrics = operation.metrics(for: variables) else {
            return (try operation.plan(for: variables, format: format), variables, nil)
        }
        if request.asksForCost { extensions.fields = [cost(metrics)] }
        try operation.check(metrics, settings.queryLimits)
        let plan = try operation.plan(for: variables, format: format)
        if let metrics = pipeline.metrics(metrics, withIntrospectionOf: plan) {
            if request.asksForCost { extensions.fields = [cost(metrics)] }
            try operation.check(metrics, pipeline.limits(settings.queryLimits))
        }
        return (plan, variables, metrics)
    }

    private func cost(_ metrics: QueryMetrics) -> (name: String, value: InputValue) {
        ("cost", .object(settings.queryLimits.figures(of: metrics)))
    }

    /// The errors that a client gets for a request that failed as a whole. An unknown error is logged, and the client
    /// gets only the request's ID.
    func errors(of error: any Error, _ head: RequestHead) -> [GraphQLError] {
        switch error {
        case let error as RequestError: return error.errors
        case let error as GraphQLError: return [error]
        case let error as ExecutionError: return [error.requestError]
        case let error as EndedSession<Context>: return [error.error.requestError]
        case is CancellationError: return [.operationTimeout()]
        default:
            logger.error(
                "request failed",
                metadata: ["request_id": "\(head.requestID)", "error": "\(String(reflecting: error))"])
            let message = "Something went wrong. Quote \(head.requestID) when you report it."
            return [GraphQLError(message, code: .internalServerError)]
        }
    }

    func request(_ head: RequestHead, _ body: RequestBody) throws(MalformedRequest) -> GraphQLRequest {
        let depth = settings.limits.jsonDepth
        guard head.method == .POST else { return try GraphQLRequest(query: head.query, maxDepth: depth) }
        switch body {
        case .bytes(let bytes): return try GraphQLRequest(body: bytes, maxDepth: depth)
        case .multipart(let multipart): return try GraphQLRequest(json: multipart.operations)
        }
    }

    func timeout(of head: RequestHead) -> GraphQLAnswer {
        let mediaType = head.accepted.mediaType ?? .json
        return refusal([.operationTimeout()], mediaType, OperationSummary())
    }

    private func answer(
        _ response: GraphQL.Response, _ mediaType: GraphQLMediaType, _ context: Context, _ summary: OperationSummary
    ) -> GraphQLAnswer {
        var answer = answer(response, mediaType)
        answer.headers += responseHeaders?(context) ?? []
        answer.summary = summary
        answer.summary.note(response)
        return answer
    }

    /// GraphQL over HTTP: 5.3 GET, "must not execute mutations"
    private func refusal(of type: OperationType, _ head: RequestHead) -> GraphQLAnswer? {
        switch type {
        case .query: nil
        case .mutation where head.method == .POST: nil
        case .mutation: .mutationByGET
        case .subscription:
            .refusal(.notAcceptable, "A subscription needs WebSocket, or Accept: text/event-stream.")
        }
    }

    /// The answer to a well-formed request that cannot be executed.
    /// GraphQL over HTTP: 6.4 Validation and 6.5 Examples
    func refusal(
        _ errors: [GraphQLError], _ mediaType: GraphQLMediaType, _ summary: OperationSummary,
        _ extensions: InputObject = InputObject()
    ) -> GraphQLAnswer {
        let refused = RefusalStatus(errors)
        var answer = GraphQLAnswer(
            status: mediaType == .json ? refused.legacyStatus : refused.status, contentType: mediaType.contentType,
            headers: refused.headers, errors: errors, extensions: extensions, summary: summary)
        answer.summary.outcome = refused.status.code >= 500 ? .failed : .refused
        answer.isOverLimit = Overload.isTold(by: errors)
        return answer
    }
}
