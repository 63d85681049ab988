import GraphQL

/// The server's state machine of the protocol: events go in, actions come out.
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
        /// An operation that is not begun: an error is all that it gets.
        case refuse(id: String, Refusal)
        /// The session has ended: some source streams stop, others are to give what they owe.
        case conclude(stopped: [String], concluding: [String])
        /// Every operation ends with it.
        case close(CloseReason)
        /// The same without a word: nobody listens.
        case terminate
    }

    enum Refusal: Equatable {
        case tooManyOperations, serverStops, sessionEnded
    }

    private enum Phase {
        case opened
        /// `connection_init` is there, and not accepted yet.
        case initialising
        case acknowledged
        /// The session has ended; what is under way is answered, and source streams give what they owe.
        case concluding
        case closed
    }

    private enum OperationPhase: Equatable {
        case starting
        /// The operation has a source stream.
        case streaming(concludes: Bool)
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
        guard let payload, payload["accessToken"] != nil else { return .sendPong(payload) }
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

    /// An operation that has ended is no error: the two messages may have crossed.
    private mutating func completeReceived(_ id: String) -> Action {
        operations.removeValue(forKey: id) == nil ? .none : .stop(id: id)
    }

    /// A frame of any kind, so that the peer is there.
    mutating func heard() { hasHeard = true }

    mutating func violated(_ reason: CloseReason) -> Action { close(reason) }

    /// The client said goodbye; RFC 6455 wants its code back.
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
        let stopped = operations.filter { $0.value == .streaming(concludes: false) }.keys.sorted()
        for id in stopped { operations[id] = nil }
        if operations.isEmpty { return close(.sessionEnded) }
        let concluding = operations.filter { $0.value == .streaming(concludes: true) }.keys.sorted()
        return .conclude(stopped: stopped, concluding: concluding)
    }

    // MARK: - From operations

    /// - Parameter concludes: whether its source has something to say once the session has ended.
    mutating func streaming(_ id: String, concludes: Bool) -> Action {
        guard operations[id] != nil else { return .none }
        operations[id] = .streaming(concludes: concludes)
        guard phase == .concluding else { return drainedAction }
        if concludes { return .conclude(stopped: [], concluding: [id]) }
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

    /// The server stops: operations that have no source stream are still answered; subscriptions resume elsewhere.
    mutating func drain() -> Action {
        isDraining = true
        return drainedAction
    }

    /// The action after an operation has ended and was answered: the close, if nothing else keeps the socket open.
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
