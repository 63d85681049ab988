import GraphQL
import NIOCore
import NIOHTTP1

/// Requests of single connection mode.
/// graphql-sse, Single connection mode
extension HTTPConnection {
    func executeForEventStream(_ head: RequestHead, _ body: RequestBody, _ context: ChannelHandlerContext) {
        let stream = EventStreamRules.token(of: head).flatMap { eventStreams[$0] }
        if head.method == .PUT {
            if stream != nil { return answer(.refusal(.conflict, "Stream already registered"), context) }
            return reserve(head, context)
        }
        guard let stream else { return answer(.refusal(.notFound, "Stream not found", code: .notFound), context) }
        switch head.method {
        case .DELETE:
            guard let id = operationID(in: head), !id.isEmpty else {
                return answer(.refusal(.badRequest, "Operation ID is missing"), context)
            }
            stream.stop(id)
            answer(GraphQLAnswer(status: .ok, contentType: "", body: []), context)
        case .GET where EventStreamRules.opensStream(head):
            guard stream.open() else { return answer(.refusal(.conflict, "Stream already open"), context) }
            let response = HTTPStream(.eventStream, queue: stream.queue, reserved: stream)
            attach(response, context)
            open(response, context)
        default: execute(head, body, over: stream, context)
        }
    }

    private func answer(_ answer: GraphQLAnswer, _ context: ChannelHandlerContext) {
        write(answer, context, isOperation: false)
    }

    private func operationID(in head: RequestHead) -> String? { (try? QueryString(head.query))?["operationId"] }

    // MARK: - Making reservations

    private func reserve(_ head: RequestHead, _ context: ChannelHandlerContext) {
        let endpoint = endpoint
        let eventStreams = eventStreams
        let eventLoop = context.eventLoop
        awaitAnswer(context) {
            switch await endpoint.authentication(of: head) {
            case .refused(let errors):
                let refused = RefusalStatus(errors)
                return GraphQLAnswer(
                    status: refused.status, contentType: GraphQLMediaType.json.contentType, headers: refused.headers,
                    errors: errors)
            case .granted:
                guard let stream = eventStreams.reserve(on: eventLoop) else {
                    return .refusal(.serviceUnavailable, "Too many streams are reserved.", code: .unavailable)
                }
                return GraphQLAnswer(
                    status: .created, contentType: "text/plain; charset=utf-8", body: Array(stream.token.utf8))
            }
        }
    }

    /// An answer that is not an operation's.
    private func awaitAnswer(
        _ context: ChannelHandlerContext, _ answer: @escaping @Sendable () async -> GraphQLAnswer
    ) {
        phase = .executing
        deadlines.current = .now() + settings.limits.executionTimeout
        let count = requestCount
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let task = Task.immediate(executorPreference: executor) {
            let answer = await answer()
            _ = await eventLoop.perform { connection.value.finish(answer, of: count, isOperation: false) }
        }
        if case .executing = phase, count == requestCount { self.task = task }
    }

    // MARK: - Executing operations

    private func execute(
        _ head: RequestHead, _ body: RequestBody, over stream: EventStream, _ context: ChannelHandlerContext
    ) {
        let request: GraphQLRequest
        do { request = try endpoint.request(head, body) } catch {
            return answer(.refusal(.badRequest, error.message), context)
        }
        guard case .string(let id)? = request.extensions["operationId"], !id.isEmpty else {
            return answer(.refusal(.badRequest, "Operation ID is missing"), context)
        }
        let deadline = NIODeadline.now() + settings.limits.executionTimeout
        switch stream.begin(id, deadline: deadline) {
        case .exists: answer(.refusal(.conflict, "Operation with ID already exists"), context)
        case .tooMany:
            let error = GraphQLError.tooManyOperations(settings.streams.operations)
            answer(
                GraphQLAnswer(
                    status: .tooManyRequests, contentType: GraphQLMediaType.json.contentType, errors: [error]), context)
        case .began(let serial):
            phase = .executing
            deadlines.current = deadline
            run(request, head, id, serial, stream, context)
        }
    }

    /// The operation is the stream's, not this connection's: it goes on when this one is closed.
    private func run(
        _ request: GraphQLRequest, _ head: RequestHead, _ id: String, _ serial: Int, _ stream: EventStream,
        _ context: ChannelHandlerContext
    ) {
        let count = requestCount
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let telemetry = telemetry
        let runner = OperationRunner(endpoint: endpoint, telemetry: telemetry)
        let isGET = head.method != .POST
        let deliver: @Sendable (OperationEvent) async -> Bool = { event in
            if event.waitsForRoom, await !stream.queue.room(on: eventLoop) {
                telemetry.streams.stalls.increment()
                stream.fail(id, serial, .clientDoesNotRead())
                return false
            }
            return stream.deliver(event, id, serial)
        }
        let task = Task.immediate(executorPreference: executor) {
            var isAccepted = false
            let events = await runner.run(request, head) { event in
                switch event {
                case .accepted(let summary, _, _):
                    isAccepted = await eventLoop.perform {
                        connection.value.accept(summary, of: count, isGET: isGET)
                    }
                    if !isAccepted {
                        stream.forget(id, serial)
                        return false
                    }
                case .refused(let errors, let summary) where !isAccepted:
                    stream.forget(id, serial)
                    await eventLoop.perform { connection.value.refuse(errors, summary, of: count) }
                    return false
                default: break
                }
                return await deliver(event)
            }
            await events?.read(nil, deliver)
        }
        stream.run(task, id, serial)
    }

    /// - Returns: whether the client still waits for that.
    private func accept(_ summary: OperationSummary, of count: Int, isGET: Bool) -> Bool {
        guard case .executing = phase, count == requestCount, context != nil else { return false }
        if summary.type == .mutation && isGET {
            finish(.mutationByGET, of: count, isOperation: false)
            return false
        }
        finish(GraphQLAnswer(status: .accepted, contentType: "", body: []), of: count, isOperation: false)
        return true
    }

    private func refuse(_ errors: [GraphQLError], _ summary: OperationSummary, of count: Int) {
        guard let head, count == requestCount else { return }
        finish(endpoint.refusal(errors, of: head, summary), of: count, isOperation: false)
    }
}
