import GraphQL

extension SchemaEndpoint {
    /// After this number of events in a row a subscription yields to the other tasks of the event loop.
    private static var eventsAtOnce: Int { 32 }

    func authentication(of head: RequestHead) async -> Authentication {
        do {
            return .granted(try await authenticate(head) as? any SessionContext)
        } catch {
            return .refused(errors(of: error, head))
        }
    }

    func operationType(of request: GraphQLRequest) -> OperationType? {
        try? pipeline.operation(of: request, allowsIntrospection: true).type
    }

    func isIncremental(_ request: GraphQLRequest) -> Bool {
        (try? pipeline.operation(of: request, allowsIntrospection: true).prepared.isIncremental) ?? false
    }

    func refusal(_ errors: [GraphQLError], of head: RequestHead, _ summary: OperationSummary) -> GraphQLAnswer {
        refusal(errors, head.accepted.mediaType ?? .json, summary)
    }

    func answer(_ response: GraphQL.Response, _ mediaType: GraphQLMediaType) -> GraphQLAnswer {
        GraphQLAnswer(
            status: .ok, contentType: mediaType.contentType, headers: RefusalStatus.retryAfter(response.errors),
            body: response.body)
    }

    func perform(
        _ request: GraphQLRequest, _ head: RequestHead, format: IncrementalFormat,
        deliver: (OperationEvent) async -> Bool
    ) async -> OperationEvents? {
        var summary = OperationSummary()
        var extensions = InputObject()
        // The session that has ended; nil as soon as the operation is known to run after a session.
        var ended: EndedSession<Context>?
        var release: (@Sendable () -> Void)?
        defer { release?() }
        do {
            let context: Context
            do {
                if let known = try authenticateSynchronously(head) {
                    context = known
                } else {
                    release = holdBackEvents(head)
                    context = try await authenticate(head)
                }
            } catch let error as EndedSession<Context> {
                context = error.context
                ended = error
            }
            let operation = try self.operation(of: request, context)
            if operation.type != .subscription { release?() }
            summary = operation.summary
            let (plan, variables, metrics) = try plan(for: operation, request, &extensions, format: format)
            try refuse(operation, variables, after: ended)
            ended = nil
            let entry = request.asksOnlyToCheck ? .unlimited : try admit(operation.type, metrics, context)
            let session = context as? any SessionContext
            let headers = { @Sendable in responseHeaders?(context) ?? [] }
            return try await entry.run { () async throws -> OperationEvents? in
                guard await deliver(.accepted(summary, session: session, headers: headers)) else { return nil }
                if request.asksOnlyToCheck {
                    _ = await deliver(.response(Response(ofCheck: extensions)))
                } else if operation.type == .subscription {
                    // The events of a source stream are not judged: they are a part of what was admitted.
                    return try await events(plan, variables, context, summary, deliver)
                } else if observe == nil || !request.asksForPlan,
                    let response = operation.schemaResponse(plan, context: context, extensions: extensions)
                {
                    _ = await deliver(.response(response))
                } else {
                    let observer = request.asksForPlan ? try await observe?(context) : nil
                    var isFirst = true
                    try await executeIncrementally(
                        plan, variables: variables, context: context, extensions: extensions, observer: observer
                    ) { response, hasNext in
                        let isOnly = isFirst && !hasNext
                        isFirst = false
                        return await deliver(isOnly ? .response(response) : .part(response, hasNext: hasNext))
                    }
                }
                return nil
            }
        } catch {
            if Task.isCancelled { return nil }
            let error = ended?.error(insteadOf: error) ?? error
            _ = await deliver(.refused(errors(of: error, head), summary))
        }
        return nil
    }

    private func events(
        _ plan: Plan<Context>, _ variables: [String: InputValue], _ context: Context, _ summary: OperationSummary,
        _ deliver: (OperationEvent) async -> Bool
    ) async throws(CancellationError) -> OperationEvents? {
        switch try await subscribe(plan, variables: variables, context: context) {
        case .refused(let response):
            _ = await deliver(.refused(response.errors, summary))
            return nil
        case .stream(let responses):
            let streaming = OperationEvent.streaming(
                position: { responses.position }, conclude: responses.conclude)
            guard await deliver(streaming) else { return nil }
            let read: OperationEvents.Read = { sink, deliver in
                var count = 0
                var iterator = responses.makeAsyncIterator()
                while true {
                    if let sink, iterator.park(sink) { return }
                    guard let response = try? await iterator.next() else { break }
                    if let failure = response.passingFailure(at: responses.position) {
                        _ = await deliver(.event(failure))
                        return
                    }
                    guard await deliver(.event(response)) else { return }
                    count += 1
                    if count.isMultiple(of: Self.eventsAtOnce) { await Task.yield() }
                }
                if !Task.isCancelled { _ = await deliver(.completed) }
            }
            return OperationEvents(read: read, stop: { responses.stop() })
        }
    }
}

extension GraphQL.Response {
    /// The request error that ends the stream if an event failed with a transient error, `UNAVAILABLE`, `OVERLOADED` or
    /// `TIMEOUT`;
    /// nil for any other event. The error's cursor is `place`, so that a client that resumes receives the event again.
    fileprivate func passingFailure(at place: StreamPosition?) -> GraphQL.Response? {
        guard position != nil, let place else { return nil }
        let passing = [ErrorCode.unavailable, .overloaded, .timeout].map(\.rawValue)
        guard let error = errors.first(where: { $0.code.map(passing.contains) ?? false }) else { return nil }
        return GraphQL.Response(RequestError([error.with(cursor: place.text)]))
    }
}
