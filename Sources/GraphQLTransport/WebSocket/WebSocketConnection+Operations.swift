import GraphQL
import NIOCore

extension WebSocketConnection {
    func start(_ id: String, _ request: GraphQLRequest) {
        guard let context else { return }
        let operation = Operation(deadline: .now() + settings.limits.executionTimeout)
        operations[id] = operation
        let bound = NIOLoopBound((self, operation), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let head = head.forOperation(of: number)
        let runner = runner
        let queue = queue
        let deliver: @Sendable (OperationEvent) async -> Bool = { event in
            if event.waitsForRoom, await !queue.room(on: eventLoop) {
                return await eventLoop.perform { bound.value.0.stalled(id, bound.value.1) }
            }
            return await eventLoop.perform { bound.value.0.deliver(event, id, bound.value.1) }
        }
        let hand: @Sendable (SharedResponse) -> Bool = { bound.value.0.hand($0, id, bound.value.1) }
        // What needs no waiting is answered before this call returns.
        let task = Task.immediate(executorPreference: executor) {
            guard let events = await runner.run(request, head, deliver: deliver) else { return }
            await eventLoop.perform {
                let (connection, operation) = bound.value
                guard connection.operations[id] === operation, let executor = connection.executor else { return }
                let reader = EventReader(events, on: executor, deliver: deliver, hand: hand)
                operation.task = nil
                operation.reader = reader
                reader.start()
            }
        }
        if operation.reader == nil, operations[id] === operation { operation.task = task }
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
        case .streaming(let position, let conclude):
            operation.deadline = .distantFuture
            operation.progress.source = position
            operation.conclude = conclude
            perform(state.streaming(id, concludes: conclude != nil))
        // The source failed: nothing follows.
        case .event(let response) where response.isRequestError: fail(id, operation, response.errors)
        case .event(let response):
            operation.progress.note(response)
            next(id, response)
            if let onReceipt = response.onReceipt { awaitReceipt(onReceipt) }
        case .completed: complete(id)
        }
        return operations[id] === operation
    }

    /// One ping proves all that the client was sent in this turn of the event loop.
    private func awaitReceipt(_ onReceipt: @escaping @Sendable () -> Void) {
        let isFirst = !receipts.isPingDue
        receipts.add(onReceipt)
        guard isFirst, receipts.isPingDue, let context else { return }
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let connection = connection.value
            if !connection.state.isClosed && connection.receipts.isPingDue { connection.sendPing() }
        }
    }

    /// An event of many subscribers.
    /// - Returns: false where it has to wait for room.
    private func hand(_ response: SharedResponse, _ id: String, _ operation: Operation) -> Bool {
        if operation.hasEnded { return true }
        let frame: NextFrame
        if let last = response.encoded as? NextFrame, last.id == id {
            frame = last
        } else {
            frame = NextFrame(id: id, bytes: ServerFrame.text(ServerMessage.next(id, response.response)))
            response.encoded = frame
        }
        guard hand(frame.bytes) else { return false }
        operation.progress.note(response.response)
        runner.telemetry.streams.events.increment()
        return true
    }

    private func next(_ id: String, _ response: GraphQL.Response) {
        guard case .sendNext = state.responded(id) else { return }
        send(ServerMessage.next(id, response))
    }

    private func complete(_ id: String) {
        operations.removeValue(forKey: id)?.end()
        if case .sendComplete = state.completed(id) { send(ServerMessage.complete(id)) }
        perform(state.drainedAction)
    }

    func fail(_ id: String, _ operation: Operation, _ errors: [GraphQLError]) {
        guard operations[id] === operation else { return }
        operations.removeValue(forKey: id)?.end()
        if case .sendError = state.failed(id) { send(ServerMessage.error(id, errors)) }
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

/// The same for all who named their operation alike, as most clients do.
private final class NextFrame {
    let id: String
    let bytes: ByteBuffer

    init(id: String, bytes: ByteBuffer) {
        self.id = id
        self.bytes = bytes
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
