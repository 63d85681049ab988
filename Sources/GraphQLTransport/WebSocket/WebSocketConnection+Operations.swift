import GraphQL
import NIOCore

extension WebSocketConnection {
    // MARK: - Authentication

    /// The context that comes of it is that of the connection; each operation has a fresh one, as each HTTP request
    /// has.
    func authenticate(_ payload: InputObject) {
        head = head.with(connectionParameters: payload)
        check(head) { connection, session in
            connection.session = session
            connection.perform(connection.state.authenticated())
        }
    }

    func renew(_ payload: InputObject) {
        let renewed = head.with(connectionParameters: payload)
        check(renewed) { connection, session in
            // Another's token would leave subscriptions under way that are not his.
            guard connection.session?.sessionID == nil || connection.session?.sessionID == session?.sessionID else {
                return connection.perform(connection.state.authenticationFailed(.forbidden))
            }
            connection.head.authorization = renewed.authorization
            connection.session = session
            connection.perform(connection.state.renewed())
        }
    }

    private func check(
        _ head: RequestHead,
        granted: @escaping @Sendable (WebSocketConnection, (any SessionContext)?) -> Void
    ) {
        guard let context else { return }
        clock.authenticationBegan(settings.limits.executionTimeout)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let endpoint = runner.endpoint
        let task = Task.immediate(executorPreference: executor) {
            let authentication = await endpoint.authentication(of: head)
            if Task.isCancelled { return }
            await eventLoop.perform {
                let connection = bound.value
                connection.clock.authenticationEnded()
                connection.authentication = nil
                switch authentication {
                case .granted(let session): granted(connection, session)
                case .refused(let errors):
                    connection.perform(connection.state.authenticationFailed(CloseReason(refusing: errors)))
                }
            }
        }
        // A task that has ended is let go of, for it keeps its stack.
        if clock.isAuthenticating { authentication = task }
    }

    // MARK: - Operations

    func start(_ id: String, _ request: GraphQLRequest) {
        guard let context else { return }
        let operation = Operation(deadline: .now() + settings.limits.executionTimeout)
        operations[id] = operation
        let bound = NIOLoopBound((self, operation), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let head = head.forOperation()
        let runner = runner
        let queue = queue
        let deliver: @Sendable (OperationEvent) async -> Bool = { event in
            if event.waitsForRoom, await !queue.room(on: eventLoop) {
                return await eventLoop.perform { bound.value.0.stalled(id, bound.value.1) }
            }
            return await eventLoop.perform { bound.value.0.deliver(event, id, bound.value.1) }
        }
        // What needs no waiting is answered before this call returns.
        let task = Task.immediate(executorPreference: executor) {
            guard let events = await runner.run(request, head, deliver: deliver) else { return }
            await eventLoop.perform {
                let (connection, operation) = bound.value
                connection.run(
                    Task.immediate(executorPreference: connection.executor) { await events.run(deliver) }, id, operation
                )
            }
        }
        // Its events may have a task already.
        if operation.task == nil { run(task, id, operation) }
    }

    private func run(_ task: Task<Void, Never>, _ id: String, _ operation: Operation) {
        if operations[id] === operation { operation.task = task } else { task.cancel() }
    }

    /// - Returns: whether the operation goes on.
    private func deliver(_ event: OperationEvent, _ id: String, _ operation: Operation) -> Bool {
        guard operations[id] === operation else { return false }
        switch event {
        case .accepted: return true
        case .refused(let errors, _): fail(id, operation, errors)
        case .response(let response) where response.isRequestError: fail(id, operation, response.errors)
        case .response(let response):
            next(id, response)
            complete(id)
        case .part(let response, let hasNext):
            next(id, response)
            if !hasNext { complete(id) }
        case .streaming(let position):
            operation.deadline = .distantFuture
            operation.progress.source = position
            perform(state.streaming(id))
        // The source failed: nothing follows.
        case .event(let response) where response.isRequestError: fail(id, operation, response.errors)
        case .event(let response):
            operation.progress.note(response)
            next(id, response)
        case .completed: complete(id)
        }
        return operations[id] === operation
    }

    private func next(_ id: String, _ response: GraphQL.Response) {
        guard case .sendNext = state.responded(id) else { return }
        queue.append(ServerMessage.next(id, response))
    }

    private func complete(_ id: String) {
        operations[id] = nil
        if case .sendComplete = state.completed(id) { queue.append(ServerMessage.complete(id)) }
        perform(state.drainedAction)
    }

    func fail(_ id: String, _ operation: Operation, _ errors: [GraphQLError]) {
        guard operations[id] === operation else { return }
        operations[id] = nil
        if case .sendError = state.failed(id) { queue.append(ServerMessage.error(id, errors)) }
        perform(state.drainedAction)
    }

    private func stalled(_ id: String, _ operation: Operation) -> Bool {
        if operations[id] === operation {
            runner.telemetry.streams.stalls.increment()
            fail(id, operation, [.clientDoesNotRead().with(cursor: operation.progress.position)])
        }
        return false
    }
}

extension CloseReason {
    /// Clients come back after 4403 and 1013, but not after 4500.
    init(refusing errors: [GraphQLError]) {
        switch errors.first?.code.map(ErrorCode.init(rawValue:)) {
        case .internalServerError: self = .internalServerError
        case .unavailable, .timeout, .rateLimited: self = .tryAgainLater
        default: self = .forbidden
        }
    }
}

extension EventLoop {
    /// Does it at once where this is the event loop's own thread.
    func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        if inEventLoop { return body() }
        return await withCheckedContinuation { continuation in
            execute { continuation.resume(returning: body()) }
        }
    }
}
