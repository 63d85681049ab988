import Synchronization

/// The subscriptions of one connection. Their changes leave it in the order of the log over all of them, and while one
/// catches up the others wait: so the last cursor that a client got there is enough to resume them all. Of several who
/// send the same change only the last gives its cursor, the others that of the place before it: when the connection
/// breaks between them, the change comes again rather than never.
final class ChangeOrder: Sendable {
    private enum Stage {
        /// Nobody knows yet what comes.
        case behind
        case sending(ChangePosition)
        /// Has sent all that it was given.
        case asking(ChangeSubscriber)
    }

    private struct Waiting {
        let position: ChangePosition
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var stages: [Int: Stage] = [:]
        var waiting: [Int: Waiting] = [:]
        var places = 0
        /// When all have come that a resumed connection is to have; nil once they have, and where it is a new one.
        var completeAt: ContinuousClock.Instant?

        /// A place that was left stays left.
        mutating func move(_ place: Int, to stage: Stage) {
            if stages[place] != nil { stages[place] = stage }
        }

        /// Whether nobody else owes anything older, or the same before this one.
        func isNext(_ place: Int, _ position: ChangePosition) -> Bool {
            stages.allSatisfy { other, stage in
                if other == place { return true }
                return switch stage {
                case .behind: false
                case .sending(let own): (own, other) > (position, place)
                case .asking(let subscriber): subscriber.isResting
                }
            }
        }

        /// Whether nobody sends the same after this one.
        func isLast(_ place: Int, _ position: ChangePosition) -> Bool {
            !stages.contains { other, stage in
                if case .sending(position) = stage { other != place } else { false }
            }
        }

        mutating func takeNext() -> [(CheckedContinuation<Bool, Never>, isLast: Bool)] {
            if waiting.isEmpty { return [] }
            let next = waiting.filter { isNext($0.key, $0.value.position) }
            for place in next.keys { waiting[place] = nil }
            return next.map { ($1.continuation, isLast($0, $1.position)) }
        }
    }

    private let patience: Duration
    private let state = Mutex(State())

    init(patience: Duration) { self.patience = patience }

    fileprivate var isEmpty: Bool { state.withLock { $0.stages.isEmpty } }

    fileprivate func enter(isResumed: Bool) -> Int {
        state.withLock { state in
            if isResumed, state.places == 0 || state.completeAt != nil { state.completeAt = .now + patience }
            state.places += 1
            state.stages[state.places] = .behind
            return state.places
        }
    }

    fileprivate func leave(_ place: Int) {
        let (own, next) = state.withLock { state in
            state.stages[place] = nil
            return (state.waiting.removeValue(forKey: place)?.continuation, state.takeNext())
        }
        own?.resume(returning: false)
        for (continuation, isLast) in next { continuation.resume(returning: isLast) }
    }

    fileprivate func ask(_ place: Int, _ subscriber: ChangeSubscriber) {
        let next = state.withLock { state in
            state.move(place, to: .asking(subscriber))
            return state.takeNext()
        }
        for (continuation, isLast) in next { continuation.resume(returning: isLast) }
    }

    /// Whether all others have sent what they were given, and nobody is yet to come.
    fileprivate func isNext(_ place: Int) -> Bool {
        state.withLock { state in
            if let due = state.completeAt {
                if due > .now { return false }
                state.completeAt = nil
            }
            return state.stages.allSatisfy { other, stage in
                if other == place { return true }
                if case .asking(let subscriber) = stage { return subscriber.isResting }
                return false
            }
        }
    }

    private func untilComplete() async {
        while let due = state.withLock({ $0.completeAt }), !Task.isCancelled {
            if due <= .now { return state.withLock { $0.completeAt = nil } }
            try? await Task.sleep(until: due)
        }
    }

    /// Until its turn has come, or the task is cancelled.
    /// - Returns: whether it is the last with this change.
    fileprivate func wait(_ place: Int, at position: ChangePosition, _ hasPublished: () -> Void) async -> Bool {
        await untilComplete()
        if state.withLock({ $0.stages.count }) == 1 { return true }
        hasPublished()
        let (isNext, isLast, next) = state.withLock { state in
            state.move(place, to: .sending(position))
            return (state.isNext(place, position), state.isLast(place, position), state.takeNext())
        }
        for (continuation, isLast) in next { continuation.resume(returning: isLast) }
        if isNext { return isLast }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLast = state.withLock { state -> Bool? in
                    if Task.isCancelled || state.stages[place] == nil { return false }
                    if state.isNext(place, position) { return state.isLast(place, position) }
                    state.waiting[place] = Waiting(position: position, continuation: continuation)
                    return nil
                }
                if let isLast { continuation.resume(returning: isLast) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: place)?.continuation }?.resume(returning: false)
        }
    }
}

/// A place in the order of a connection: of one of its subscriptions while that is read, or of an operation while it is
/// not known yet what it asks for. The connection's other subscriptions wait for it until it is left.
final class ChangePlace: Sendable {
    private let orders: ChangeOrders
    private let connection: UInt64
    private let order: ChangeOrder
    private let number: Int

    fileprivate init(_ orders: ChangeOrders, _ connection: UInt64, _ order: ChangeOrder, isResumed: Bool) {
        self.orders = orders
        self.connection = connection
        self.order = order
        number = order.enter(isResumed: isResumed)
    }

    deinit { leave() }

    /// Nothing is owed here any more. Leaving it again changes nothing.
    func leave() {
        order.leave(number)
        orders.forget(connection, order)
    }

    /// It has sent what it was given.
    func ask(_ subscriber: ChangeSubscriber) { order.ask(number, subscriber) }

    /// Whether a change can be sent at once, as the only one that the connection's subscriptions are given.
    var isNext: Bool { order.isNext(number) }

    /// Until every older change of the connection was sent.
    /// - Parameter hasPublished: returns once everybody has the change who is to have it.
    /// - Returns: whether no other of the connection's subscriptions is yet to send the same change.
    func wait(at position: ChangePosition, _ hasPublished: () -> Void) async -> Bool {
        await order.wait(number, at: position, hasPublished)
    }
}

/// The connections that have subscriptions.
final class ChangeOrders: Sendable {
    private let patience: Duration
    private let orders = Mutex<[UInt64: ChangeOrder]>([:])

    /// - Parameter patience: a client that resumes a connection subscribes to several things one after another: what
    ///   comes first waits that long for the last of them, or its cursor would say more than the client has got.
    init(patience: Duration = .milliseconds(200)) { self.patience = patience }

    /// - Parameter isResumed: whether the client goes on with all that it had on another connection.
    func place(on connection: UInt64, isResumed: Bool = false) -> ChangePlace {
        orders.withLock { orders in
            let order = orders[connection] ?? ChangeOrder(patience: patience)
            orders[connection] = order
            return ChangePlace(self, connection, order, isResumed: isResumed)
        }
    }

    fileprivate func forget(_ connection: UInt64, _ order: ChangeOrder) {
        orders.withLock { orders in
            if order.isEmpty, orders[connection] === order { orders[connection] = nil }
        }
    }

    var count: Int { orders.withLock { $0.count } }
}

extension RequestContext {
    /// For a subscription, before anything is awaited: from then on the connection's others wait for this one. nil where
    /// there can be no other.
    func takePlace() -> ChangePlace? {
        connection.map { environment.changes.orders.place(on: $0, isResumed: resumeAfter != nil) }
    }
}

extension Environment {
    /// Keeps the subscriptions of a connection from sending changes while a new operation of it is authenticated.
    /// - Parameter isResumed: whether the client goes on with all that it had on another connection.
    /// - Returns: what ends that.
    public func holdChanges(on connection: UInt64, isResumed: Bool) -> @Sendable () -> Void {
        let place = changes.orders.place(on: connection, isResumed: isResumed)
        return { place.leave() }
    }
}
