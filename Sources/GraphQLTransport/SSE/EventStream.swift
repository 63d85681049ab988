import GraphQL
import NIOCore
import Synchronization

/// One reservation, and then connection, of single connection mode: what operations of other requests answer goes over
/// it. Until it is opened their answers wait.
/// graphql-sse, Single connection mode
final class EventStream: Sendable {
    private struct Operation {
        /// Tells it from an earlier one of the same id.
        let serial: Int
        var task: Task<Void, Never>?
        var session: (any SessionContext)?
        var progress = StreamProgress()
        /// Until when it must have answered, or begun to stream.
        var deadline: NIODeadline
        /// Has the source give what it owes, and end; nil where it owes nothing.
        var conclude: (@Sendable () -> Void)?
        /// Until when it must have ended, once its session has.
        var concludeBy: NIODeadline?
        /// Ends the watch over its session.
        var stopWatching: (@Sendable () -> Void)?

        /// Nothing is left to be done for it.
        func end() {
            task?.cancel()
            stopWatching?()
        }
    }

    private struct State {
        var operations: [String: Operation] = [:]
        var serial = 0
        var isOpen = false
        var isClosed = false
    }

    enum Beginning: Equatable {
        case began(Int)
        case exists
        case tooMany
    }

    let token: String
    let queue: EventQueue
    private let maxOperations: Int
    private let conclusionTimeout: TimeAmount
    private let state = Mutex(State())

    init(token: String, limits: StreamLimits) {
        self.token = token
        queue = EventQueue(limits)
        maxOperations = limits.operations
        conclusionTimeout = limits.conclusionTimeout
    }

    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// - Returns: false where somebody listens already; there is never more than one.
    func open() -> Bool {
        state.withLock { state in
            if state.isOpen || state.isClosed { return false }
            state.isOpen = true
            return true
        }
    }

    func begin(_ id: String, deadline: NIODeadline) -> Beginning {
        state.withLock { state in
            if state.operations[id] != nil { return .exists }
            if state.isClosed || state.operations.count >= maxOperations { return .tooMany }
            state.serial += 1
            state.operations[id] = Operation(serial: state.serial, deadline: deadline)
            return .began(state.serial)
        }
    }

    func run(_ task: Task<Void, Never>, _ id: String, _ serial: Int) {
        let isUnderWay = change(id, serial) { $0.task = task }
        if !isUnderWay { task.cancel() }
    }

    /// - Returns: whether the operation goes on.
    func deliver(_ event: OperationEvent, _ id: String, _ serial: Int) -> Bool {
        switch event {
        case .accepted(_, let session, _): return change(id, serial) { $0.session = session }
        case .refused(let errors, _): return end(id, serial, GraphQL.Response(RequestError(errors)))
        case .response(let response): return end(id, serial, response)
        case .part(let response, hasNext: false): return end(id, serial, response)
        case .part(let response, hasNext: true):
            guard change(id, serial, { _ in }) else { return false }
            queue.append(EventStreamMessage.next(id, response))
            return true
        case .streaming(let position, let conclude):
            let session = state.withLock { $0.operations[id]?.session }
            let stopWatching = session?.onSessionEnd { [weak self] in _ = self?.look(at: .now()) }
            let isUnderWay = change(id, serial) {
                $0.deadline = .distantFuture
                $0.progress.source = position
                $0.conclude = conclude
                $0.stopWatching = stopWatching
            }
            if !isUnderWay { stopWatching?() }
            _ = look(at: .now())
            return isUnderWay
        // The source failed: nothing follows.
        case .event(let response) where response.isRequestError: return end(id, serial, response)
        case .event(let response):
            guard change(id, serial, { $0.progress.note(response) }) else { return false }
            queue.append(EventStreamMessage.next(id, response), onReceipt: response.onReceipt)
            return true
        case .completed: return end(id, serial, nil)
        }
    }

    func fail(_ id: String, _ serial: Int, _ error: GraphQLError) {
        let progress = state.withLock { $0.operations[id]?.progress }
        _ = end(id, serial, GraphQL.Response(RequestError([error.with(cursor: progress?.position)])))
    }

    /// Whatever became of it, nothing is left to answer. For an operation whose request was answered otherwise.
    func forget(_ id: String, _ serial: Int) {
        let operation = state.withLock { state in
            state.operations[id]?.serial == serial ? state.operations.removeValue(forKey: id) : nil
        }
        operation?.stopWatching?()
    }

    /// The client wants no more of it.
    func stop(_ id: String) {
        guard let operation = state.withLock({ $0.operations.removeValue(forKey: id) }) else { return }
        operation.end()
        queue.append(EventStreamMessage.complete(id))
    }

    /// Ends operations whose time is over, and source streams whose session is. What is answered once is answered still:
    /// it may be what ended the session.
    /// - Returns: when to look again; nil where that has a second's time.
    func look(at now: NIODeadline) -> Duration? {
        let (late, streams) = state.withLock { state in
            (
                state.operations.filter { $0.value.deadline <= now },
                state.operations.filter { $0.value.progress.source != nil && $0.value.session != nil }
            )
        }
        for (id, operation) in late { fail(id, operation.serial, .operationTimeout()) }
        let ended = streams.filter { $0.value.session?.hasSessionEnded == true }
        for (id, operation) in ended {
            if let concludeBy = operation.concludeBy ?? (operation.conclude == nil ? now : nil) {
                if concludeBy <= now { fail(id, operation.serial, .sessionEnded()) }
            } else {
                _ = change(id, operation.serial) { $0.concludeBy = now + conclusionTimeout }
                operation.conclude?()
            }
        }
        return streams.values.compactMap { $0.session?.nextLook }.min()
    }

    func close() {
        let operations = state.withLock { state in
            state.isClosed = true
            defer { state.operations.removeAll() }
            return state.operations
        }
        for operation in operations.values { operation.end() }
        queue.close()
    }

    private func change(_ id: String, _ serial: Int, _ change: (inout Operation) -> Void) -> Bool {
        state.withLock { state in
            guard var operation = state.operations[id], operation.serial == serial else { return false }
            change(&operation)
            state.operations[id] = operation
            return true
        }
    }

    private func end(_ id: String, _ serial: Int, _ response: GraphQL.Response?) -> Bool {
        let operation = state.withLock { state in
            state.operations[id]?.serial == serial ? state.operations.removeValue(forKey: id) : nil
        }
        guard let operation else { return false }
        if let response { queue.append(EventStreamMessage.next(id, response)) }
        queue.append(EventStreamMessage.complete(id))
        operation.end()
        return false
    }
}
