import GraphQL
import NIOCore
import Synchronization

/// The event stream of single connection mode, from its reservation on. It carries the responses of operations that
/// other requests start, on whichever event loops these run. Responses wait until the stream is opened.
/// graphql-sse, Single connection mode
final class EventStream: Sendable {
    struct State {
        var operations: [String: EventStreamOperation] = [:]
        var isOpen = false
        var isClosed = false

        /// The refusal of an operation with this ID; nil where the operation may begin.
        func refusal(ofID id: String, maxOperations: Int) -> GraphQLAnswer? {
            if isClosed { return .streamNotFound }
            if operations[id] != nil { return .refusal(.conflict, "Operation with ID already exists") }
            if operations.count < maxOperations { return nil }
            let errors = [GraphQLError.tooManyOperations(maxOperations)]
            return GraphQLAnswer(
                status: .tooManyRequests, contentType: GraphQLMediaType.json.contentType,
                headers: RefusalStatus.retryAfter(errors), errors: errors)
        }
    }

    enum Beginning {
        case began
        case refused(GraphQLAnswer)
    }

    let token: String
    let queue: EventQueue
    private let maxOperations: Int
    private let state = Mutex(State())

    init(token: String, limits: StreamLimits) {
        self.token = token
        queue = EventQueue(limits)
        maxOperations = limits.operations
    }

    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// - Returns: false where the stream is closed, or is open already, since it has one listener at most.
    func open() -> Bool {
        state.withLock { state in
            if state.isOpen || state.isClosed { return false }
            state.isOpen = true
            return true
        }
    }

    /// Adds the operation under its ID.
    func begin(_ operation: EventStreamOperation) -> Beginning {
        state.withLock { state in
            if let refusal = state.refusal(ofID: operation.id, maxOperations: maxOperations) {
                return .refused(refusal)
            }
            state.operations[operation.id] = operation
            return .began
        }
    }

    /// - Returns: false where the client has stopped the operation, or the stream is closed.
    func isUnderWay(_ operation: EventStreamOperation) -> Bool {
        state.withLock { $0.operations[operation.id] === operation }
    }

    /// Removes an operation that has ended, so that its ID is free again.
    /// - Returns: whether the operation was under way.
    @discardableResult
    func end(_ operation: EventStreamOperation) -> Bool {
        state.withLock { state in
            guard state.operations[operation.id] === operation else { return false }
            state.operations[operation.id] = nil
            return true
        }
    }

    /// Stops an operation at the client's request.
    func stop(_ id: String) {
        guard let operation = state.withLock({ $0.operations.removeValue(forKey: id) }) else { return }
        operation.stop()
        queue.append(EventStreamMessage.complete(id))
    }

    func close() {
        let operations = state.withLock { state in
            state.isClosed = true
            defer { state.operations.removeAll() }
            return state.operations
        }
        for operation in operations.values { operation.stop() }
        queue.close()
    }
}

extension GraphQLAnswer {
    /// The refusal of a request that names no stream, or a stream that is closed.
    static var streamNotFound: GraphQLAnswer { .refusal(.notFound, "Stream not found", code: .notFound) }
}
