import GraphQL
import Logging
import NIOCore
import NIOHTTP1

/// Answers requests by executing them against a schema. The endpoint is a class, since closures of each request hold
/// it: a copy of the server would retain each of its closures.
final class SchemaEndpoint<Context: ExecutionContext>: GraphQLEndpoint {
    let server: GraphQLServer<Context>
    let pipeline: DocumentPipeline<Context>
    /// nil where every operation is admitted.
    let admission: Admission?
    private let settings: ServerSettings

    init(_ server: GraphQLServer<Context>, on eventLoop: any EventLoop) throws(InvalidTrustedDocuments) {
        self.server = server
        settings = server.settings
        pipeline = try DocumentPipeline(
            schema: server.schema, settings: server.settings, metrics: server.metrics,
            trustedDocuments: server.trustedDocuments)
        admission = server.settings.admission.map { Admission($0, on: eventLoop, metrics: server.metrics) }
    }

    func refusal(of head: RequestHead) -> GraphQLAnswer? {
        RequestRules.refusal(
            of: head, hasPage: settings.isPlaygroundEnabled, takesUploads: settings.uploads != nil)
    }

    func answer(_ head: RequestHead, body: RequestBody) -> PendingAnswer {
        if settings.isPlaygroundEnabled, head.method != .POST, head.accepted.prefersPage {
            return .ready(.whole(PlaygroundPage.answer))
        }
        let mediaType = head.accepted.mediaType ?? .json
        let request: GraphQLRequest
        do { request = try self.request(head, body) } catch {
            return .ready(.whole(.refusal(.badRequest, error.message)))
        }
        let observed = OperationSummary(observer: server.observeOperation?(head))
        do {
            if let context = try server.authenticateSynchronously(head) {
                return answer(request, head, mediaType, context, observed)
            }
        } catch {
            return .ready(.whole(refusal(errors(of: error, head), mediaType, observed)))
        }
        return .waiting { [self] in
            let context: Context
            do { context = try await server.authenticate(head) } catch {
                return .whole(refusal(errors(of: error, head), mediaType, observed))
            }
            switch answer(request, head, mediaType, context, observed) {
            case .ready(let answer): return answer
            case .waiting(let answer): return await answer()
            }
        }
    }

    private func answer(
        _ request: GraphQLRequest, _ head: RequestHead, _ mediaType: GraphQLMediaType, _ context: Context,
        _ observed: OperationSummary
    ) -> PendingAnswer {
        var summary = observed
        var extensions = InputObject()
        do {
            let operation = try self.operation(of: request, context, observed.observer)
            summary = operation.summary(for: observed.observer)
            if let format = streamFormat(of: operation, head) {
                return .ready(
                    .stream(format) { [self, summary] deliver in
                        await perform(
                            operation, request, head, context, summary, format: format.incrementalFormat, deliver)
                    })
            }
            if !request.asksOnlyToCheck, let refusal = refusal(of: operation.type, head) {
                return .ready(.whole(refusal))
            }
            if operation.type == .query { server.beginQuery?(context, head) }
            let (plan, variables, metrics) = try plan(for: operation, request, &extensions)
            if request.asksOnlyToCheck {
                return .ready(.whole(answer(Response(ofCheck: extensions), mediaType, context, summary)))
            }
            let observe = request.asksForPlan ? server.observe : nil
            if observe == nil,
                let response = operation.schemaResponse(plan, context: context, extensions: extensions)
                    ?? executeWithoutWaiting(
                        plan, variables: variables, context: context, extensions: extensions)
            {
                return .ready(.whole(answer(response, mediaType, context, summary)))
            }
            let isShared =
                operation.type == .query && observe == nil && extensions.fields.isEmpty
                && server.isSharedRead(context, head)
            let entry = try admit(operation, metrics, context, shared: isShared ? variables : nil)
            return .waiting { [self, summary, extensions] in
                do {
                    let response = try await entry.response {
                        try await execute(
                            plan, variables: variables, context: context, extensions: extensions,
                            observer: try await summary.observer(beside: observe, context))
                    }
                    let refused = Overload.refusal(response, to: operation.type, rootFields: metrics?.rootFields)
                    if let refused { throw refused }
                    return .whole(answer(response, mediaType, context, summary))
                } catch {
                    return .whole(refusal(errors(of: error, head), mediaType, summary, extensions))
                }
            }
        } catch {
            return .ready(.whole(refusal(errors(of: error, head), mediaType, summary, extensions)))
        }
    }

    /// The format of the stream that the client wants of this operation; nil for an answer in one piece.
    private func streamFormat(of operation: CachedOperation<Context>, _ head: RequestHead) -> StreamFormat? {
        guard head.accepted.namesStream, head.method != .HEAD else { return nil }
        return head.accepted.streamFormat(
            of: operation.type, isIncremental: operation.prepared.isIncremental)
    }

    /// The operation of a request. A document that is not in the cache is not parsed if the server has too much to do.
    func operation(
        of request: GraphQLRequest, _ context: Context, _ observer: (any OperationObserver)?
    ) throws(RequestError) -> CachedOperation<Context> {
        try pipeline.operation(
            of: request, allowsIntrospection: server.allowsIntrospection(context), observer: observer
        ) { () throws(RequestError) in try admission?.admitParsing(isMember: server.isMember(context)) }
    }

    func admit(
        _ type: OperationType, _ metrics: QueryMetrics?, _ context: Context
    ) throws(RequestError) -> AdmissionEntry {
        guard let admission else { return .unlimited }
        return try admission.enter(RequestClass(type, cost: metrics?.cost, isMember: server.isMember(context)))
    }

    /// - Parameter shared: the variables of a query that may share the execution of an equal one; nil for every other
    ///   operation.
    private func admit(
        _ operation: CachedOperation<Context>, _ metrics: QueryMetrics?, _ context: Context,
        shared variables: [String: InputValue]?
    ) throws(RequestError) -> ResponseEntry {
        guard let admission, let variables else { return .alone(try admit(operation.type, metrics, context)) }
        let identity = operation.identity
        return try admission.enter(
            RequestClass(operation.type, cost: metrics?.cost, isMember: server.isMember(context)),
            reading: SharedRead.Key(
                documentHash: identity.documentHash, operationName: identity.name, variables: variables))
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
        case is CancellationError: return [.operationTimeout()]
        default:
            server.logger.error(
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
        answer.headers += server.responseHeaders?(context) ?? []
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
    /// GraphQL over HTTP: 6.4 Status Codes
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
