import GraphQL

/// The server's state machine of the graphql-transport-ws protocol: events go in, actions come out.
/// graphql-transport-ws
struct ConnectionState {
    enum Action: Equatable {
        case none
        case authenticate(InputObject)
        case sendConnectionAck
        case sendPing
        case sendPong(InputObject?)
        /// A ping brought new credentials.
        case renew(InputObject)
        case start(id: String, GraphQLRequest)
        case stop(id: String)
        case sendNext(id: String)
        case sendError(id: String)
        case sendComplete(id: String)
        /// The operation is not started; the client gets an error message for its ID.
        case refuse(id: String, Refusal)
        /// The session has ended. The operations of `stopped` end at once; those of `concluding` send their last events
        /// first.
        case conclude(stopped: [String], concluding: [String])
        /// All operations end, and the socket is closed with this reason.
        case close(CloseReason)
        /// All operations end, and the socket is closed without a close frame, since the client does not respond.
        case terminate
    }

    enum Refusal: Equatable {
        case tooManyOperations, serverStops, sessionEnded
    }

    private enum Phase {
        case opened
        /// `connection_init` was received, and its credentials are being checked.
        case initialising
        case acknowledged
        /// The session has ended. Queries and mutations under way are still answered, and source streams send their
        /// last events.
        case concluding
        case closed
    }

    private enum OperationPhase: Equatable {
        case starting
        /// The operation has a source stream.
        case streaming(sendsLastEvents: Bool)
    }

    private let maxOperations: Int
    private var phase = Phase.opened
    /// The operations under way, by id.
    private var operations: [String: OperationPhase] = [:]
    private var isDraining = false
    private var hasPinged = false
    private var hasHeard = true

    init(maxOperations: Int) { self.maxOperations = maxOperations }

    var isAcknowledged: Bool { phase == .acknowledged }
    var isClosed: Bool { phase == .closed }

    // MARK: - From the client

    mutating func received(_ message: ClientMessage) -> Action {
        if phase == .closed { return .none }
        switch message {
        case .connectionInit(let payload): return connectionInitReceived(payload)
        case .ping(let payload): return pingReceived(payload)
        case .pong: return .none
        case .subscribe(let id, let request): return subscribeReceived(id, request)
        case .complete(let id): return completeReceived(id)
        }
    }

    private mutating func connectionInitReceived(_ payload: InputObject?) -> Action {
        guard phase == .opened else { return close(.tooManyInitialisationRequests) }
        phase = .initialising
        return .authenticate(payload ?? InputObject())
    }

    private func pingReceived(_ payload: InputObject?) -> Action {
        guard let payload, ConnectionCredentials.areGiven(in: payload) else { return .sendPong(payload) }
        // The pong does not repeat a secret.
        return phase == .acknowledged ? .renew(payload) : .sendPong(nil)
    }

    private mutating func subscribeReceived(_ id: String, _ request: GraphQLRequest) -> Action {
        guard phase == .acknowledged || phase == .concluding else { return close(.unauthorized) }
        if operations[id] != nil { return close(.subscriberAlreadyExists(id)) }
        if phase == .concluding { return .refuse(id: id, .sessionEnded) }
        if isDraining { return .refuse(id: id, .serverStops) }
        if operations.count >= maxOperations { return .refuse(id: id, .tooManyOperations) }
        operations[id] = .starting
        return .start(id: id, request)
    }

    /// A `complete` for an operation that has ended is no error, since the server's `complete` may have crossed it.
    private mutating func completeReceived(_ id: String) -> Action {
        operations.removeValue(forKey: id) == nil ? .none : .stop(id: id)
    }

    /// Called for a frame of any kind, which proves that the client is alive.
    mutating func heard() { hasHeard = true }

    mutating func violated(_ reason: CloseReason) -> Action { close(reason) }

    /// Answers a close frame with its own code.
    /// RFC 6455, 5.5.1 Close
    mutating func closeReceived(_ code: UInt16) -> Action { close(CloseReason(code, "")) }

    // MARK: - From authentication

    mutating func authenticated() -> Action {
        guard phase == .initialising else { return .none }
        phase = .acknowledged
        return .sendConnectionAck
    }

    mutating func authenticationFailed(_ reason: CloseReason) -> Action { close(reason) }

    /// The pong does not repeat a secret.
    mutating func renewed() -> Action { phase == .acknowledged ? .sendPong(nil) : .none }

    /// Stops the operations, except those that send a last event. `close` follows when the last of these has ended.
    mutating func sessionEnded() -> Action {
        if phase == .concluding { return .none }
        phase = phase == .closed ? .closed : .concluding
        let stopped = operations.filter { $0.value == .streaming(sendsLastEvents: false) }.keys.sorted()
        for id in stopped { operations[id] = nil }
        if operations.isEmpty { return close(.sessionEnded) }
        let concluding = operations.filter { $0.value == .streaming(sendsLastEvents: true) }.keys.sorted()
        return .conclude(stopped: stopped, concluding: concluding)
    }

    // MARK: - From operations

    /// - Parameter sendsLastEvents: whether the source sends last events after the session has ended.
    mutating func streaming(_ id: String, sendsLastEvents: Bool) -> Action {
        guard operations[id] != nil else { return .none }
        operations[id] = .streaming(sendsLastEvents: sendsLastEvents)
        guard phase == .concluding else { return drainedAction }
        if sendsLastEvents { return .conclude(stopped: [], concluding: [id]) }
        operations[id] = nil
        return .conclude(stopped: [id], concluding: [])
    }

    func responded(_ id: String) -> Action { operations[id] == nil ? .none : .sendNext(id: id) }

    mutating func failed(_ id: String) -> Action {
        operations.removeValue(forKey: id) == nil ? .none : .sendError(id: id)
    }

    mutating func completed(_ id: String) -> Action {
        operations.removeValue(forKey: id) == nil ? .none : .sendComplete(id: id)
    }

    // MARK: - From the clock and the server

    mutating func connectionInitTimeoutPassed() -> Action {
        phase == .opened ? close(.connectionInitialisationTimeout) : .none
    }

    mutating func conclusionTimeoutPassed() -> Action { phase == .concluding ? close(.sessionEnded) : .none }

    mutating func keepAliveDue() -> Action {
        if phase == .closed { return .none }
        if hasPinged && !hasHeard {
            end()
            return .terminate
        }
        hasPinged = true
        hasHeard = false
        return .sendPing
    }

    /// The server stops. Operations without a source stream are still answered; clients resume their subscriptions on
    /// another server.
    mutating func drain() -> Action {
        isDraining = true
        return drainedAction
    }

    /// The action after an operation has ended: closes the socket if the session has ended or the server stops, and no
    /// operation keeps the socket open.
    var drainedAction: Action {
        mutating get {
            if phase == .concluding { return operations.isEmpty ? close(.sessionEnded) : .none }
            guard isDraining, phase != .closed, !operations.values.contains(.starting) else { return .none }
            return close(.goingAway)
        }
    }

    private mutating func close(_ reason: CloseReason) -> Action {
        if phase == .closed { return .none }
        end()
        return .close(reason)
    }

    private mutating func end() {
        phase = .closed
        operations.removeAll()
    }
}
