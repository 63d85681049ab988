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
    let revealsSchema: @Sendable (Context) -> Bool
    let responseHeaders: (@Sendable (Context) -> [(name: String, value: String)])?

    func refusal(of head: RequestHead) -> GraphQLAnswer? {
        RequestRules.refusal(of: head, hasPage: settings.isPlaygroundEnabled)
    }

    func answer(_ head: RequestHead, body: ByteBuffer) async -> GraphQLAnswer {
        if settings.isPlaygroundEnabled, head.method != .POST, prefersHTML(accept: head.accept) {
            return PlaygroundPage.shared.answer
        }
        let mediaType = GraphQLMediaType.preferred(accept: head.accept) ?? .json
        let request: GraphQLRequest
        do { request = try self.request(head, body) } catch { return .refusal(.badRequest, error.message) }
        var summary = OperationSummary()
        do {
            let context = try await authenticate(head)
            let operation = try pipeline.operation(of: request, revealsSchema: revealsSchema(context))
            summary = operation.summary
            if let refusal = refusal(of: operation.type, head) { return refusal }
            let prepared = operation.prepared
            let variables = try coerceVariableValues(
                pipeline.schema.schema, prepared.operation.variableDefinitions, request.variables,
                source: prepared.document.source)
            try operation.check(settings.queryLimits, variables: variables)
            let plan = try operation.plan(for: variables)
            let response = try await execute(plan, variables: variables, context: context)
            return answer(response, mediaType, context, summary)
        } catch let error as RequestError {
            return refusal(error.errors, mediaType, summary)
        } catch let error as GraphQLError {
            return refusal([error], mediaType, summary)
        } catch let error as ExecutionError {
            return refusal([GraphQLError(error.message, extensions: error.extensions)], mediaType, summary)
        } catch is CancellationError {
            return timeout(of: head)
        } catch {
            logger.error(
                "request failed",
                metadata: ["request_id": "\(head.requestID)", "error": "\(String(reflecting: error))"])
            let message = "Something went wrong. Quote \(head.requestID) when you report it."
            return refusal([GraphQLError(message, code: .internalServerError)], mediaType, summary)
        }
    }

    private func request(_ head: RequestHead, _ body: ByteBuffer) throws(MalformedRequest) -> GraphQLRequest {
        let request =
            head.method == .POST
            ? try GraphQLRequest(body: body, maxDepth: settings.limits.jsonDepth)
            : try GraphQLRequest(query: head.query, maxDepth: settings.limits.jsonDepth)
        if request.query == nil { throw MalformedRequest("The request has no \"query\".") }
        return request
    }

    func timeout(of head: RequestHead) -> GraphQLAnswer {
        let mediaType = GraphQLMediaType.preferred(accept: head.accept) ?? .json
        return refusal([GraphQLError("The operation took too long.", code: .timeout)], mediaType, OperationSummary())
    }

    private func answer(
        _ response: GraphQL.Response, _ mediaType: GraphQLMediaType, _ context: Context, _ summary: OperationSummary
    ) -> GraphQLAnswer {
        var answer = GraphQLAnswer(
            status: .ok, contentType: mediaType.contentType, headers: responseHeaders?(context) ?? [],
            body: response.body, summary: summary)
        if !response.errors.isEmpty {
            answer.summary.errorCodes = response.errors.compactMap(\.code)
            let isFailure = answer.summary.errorCodes.contains(ErrorCode.internalServerError.rawValue)
            answer.summary.outcome = isFailure ? .failed : .partial
        }
        return answer
    }

    /// GraphQL over HTTP: 5.3 GET, "must not execute mutations"
    private func refusal(of type: OperationType, _ head: RequestHead) -> GraphQLAnswer? {
        switch type {
        case .query: nil
        case .mutation where head.method == .POST: nil
        case .mutation:
            .refusal(.methodNotAllowed, "A mutation is sent by POST.", headers: [("Allow", "POST")])
        case .subscription:
            .refusal(.notAcceptable, "A subscription needs WebSocket, or Accept: text/event-stream.")
        }
    }

    /// A well-formed request that cannot be executed.
    /// GraphQL over HTTP: 6.4 Validation and 6.5 Examples
    private func refusal(
        _ errors: [GraphQLError], _ mediaType: GraphQLMediaType, _ summary: OperationSummary
    ) -> GraphQLAnswer {
        let refused = RefusalStatus(errors)
        let status = mediaType == .json ? .ok : refused.status
        var answer = GraphQLAnswer(
            status: status, contentType: mediaType.contentType, headers: refused.headers, errors: errors,
            summary: summary)
        answer.summary.outcome = refused.status.code >= 500 ? .failed : .refused
        return answer
    }
}
