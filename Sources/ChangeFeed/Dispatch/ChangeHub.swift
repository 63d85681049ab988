import GraphQL
import Postgres
import Synchronization

/// Offers the changes that the tail reads to the subscriptions of this server.
public final class ChangeHub: Sendable {
    private struct State {
        var epoch: Int64?
        var window: ChangeWindow
        /// The position up to which the log was read.
        var frontier: ChangePosition
        var conflation = CounterConflation()
        var topics = TopicTable()
        /// The queues of all subscribers, also of those without topics, by their identity.
        var queues: [ObjectIdentifier: ChangeQueue] = [:]
        var rows = 0
        /// The lag of the newest row, in seconds.
        var lag = 0.0
        var backlog: ChangeBacklog.Output = (0, 0)
        var backlogDue = ContinuousClock.now
        var events = 0
        var overtaken = 0
        var lostHistories = 0

        /// - Parameter held: the position of the first of several held-back changes that are sent one after another.
        func cursor(at position: ChangePosition, held: ChangePosition? = nil) -> ChangeCursor? {
            let held = [held, conflation.oldestHeld].compactMap { $0 }.min()
            return epoch.map { ChangeCursor(epoch: $0, position: position, held: held) }
        }
    }

    /// The result of joining the hub.
    enum Joined {
        /// The subscriber is offered all new changes from now on. `missed` has the changes since its position.
        case live(missed: [MatchedChange])
        /// The window does not have all the rows that the subscriber needs. The database has them, unless they were
        /// dropped.
        case behind
        /// The position belongs to another epoch, or the log was not read yet.
        case expired
    }

    private let state: Mutex<State>
    private let published = PublishedCursor()
    /// Wakes the tail. Signalled by writes of this server, and by NOTIFY from other replicas.
    public let signal = ChangeSignal()
    /// The sequencers of all client connections.
    public let sequencers = ChangeSequencers()
    private let fanOut = FanOut()
    /// Wakes the notifier, which sends NOTIFY to the other replicas. Signalled by writes of this server.
    let written = ChangeSignal()

    /// Wakes the notification worker. Signalled by writes of this server.
    public let notificationSignal = ChangeSignal()

    /// Wakes the tail, the notification worker and the notifier. Has to be called after each write has been committed.
    public func noteWrite() {
        signal.signal()
        notificationSignal.signal()
        written.signal()
    }

    public init() {
        let start = ChangePosition(transaction: 0, row: 0)
        state = Mutex(State(window: ChangeWindow(start: start), frontier: start))
    }

    /// The cursor up to which all changes were offered to the subscriptions; nil until the log was read for the first
    /// time.
    public var cursor: ChangeCursor? { published.load() }

    /// The same as `cursor`, except that it waits while changes are being published, and then covers them.
    public var frontier: ChangeCursor? { state.withLock { $0.cursor(at: $0.frontier) } }

    public var statistics: ChangeFeedStatistics {
        state.withLock { state in
            ChangeFeedStatistics(
                subscriptions: state.queues.count, topics: state.topics.count, rows: state.rows,
                lag: state.backlog.rows > 0 ? state.backlog.seconds : state.lag, waiting: state.backlog.rows,
                events: state.events, overtaken: state.overtaken, lostHistories: state.lostHistories)
        }
    }

    /// The number of fan-out batches that no task has taken yet. A batch waits while a task sends earlier batches to
    /// the same group of parked subscribers.
    public var waitingDeliveries: Int { fanOut.waitingCount }

    /// The number of changes that wait for a reader: of all subscriptions together, and of the one with the most.
    public var queues: (sum: Int, longest: Int) {
        let queued = state.withLock { $0.queues }.values.map(\.count)
        return (queued.reduce(0, +), queued.max() ?? 0)
    }

    /// Stores the number and age of the rows that the tail may not read yet, for `statistics`.
    func note(_ backlog: ChangeBacklog.Output) { state.withLock { $0.backlog = backlog } }

    /// True where the backlog is to be measured now. The next call that is true comes `interval` later at the earliest.
    func isBacklogDue(every interval: Duration, now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            guard now >= state.backlogDue else { return false }
            state.backlogDue = now + interval
            return true
        }
    }

    /// True once the log was read, so that `cursor` has a value.
    public var hasBegun: Bool { state.withLock { $0.epoch != nil } }

    /// Resets the hub if the epoch has changed, and ends all subscriptions. The epoch changes when the server has
    /// started, or when the database has lost history or is another one.
    func begin(epoch: Int64, at position: ChangePosition) {
        let stale = state.withLock { state -> [ChangeQueue] in
            guard state.epoch != epoch else { return [] }
            defer {
                state.topics = TopicTable()
                state.queues = [:]
            }
            state.epoch = epoch
            state.frontier = position
            state.window = ChangeWindow(start: position)
            state.conflation = CounterConflation()
            let stale = Array(state.queues.values)
            // The queues end under the lock: otherwise a parked subscriber could be sent a cursor of the new epoch.
            for queue in stale { queue.end(with: .cursorExpired) }
            published.store(state.cursor(at: position))
            return stale
        }
        for queue in stale { queue.finish(throwing: .cursorExpired) }
    }

    /// Counts that the log was found to have another epoch than before.
    func noteLostHistory() { state.withLock { $0.lostHistories += 1 } }

    /// Keeps the changes in the window, and offers them to the subscriptions.
    /// - Parameter frontier: the position up to which all rows were read.
    func publish(_ changes: [Change], frontier: ChangePosition, now: ContinuousClock.Instant = .now) {
        let lag = changes.last.map { Double(Timestamp.now().microseconds - $0.at.microseconds) / 1_000_000 }
        let delivery = state.withLock { state in
            var delivery = ChangeDelivery()
            state.rows += changes.count
            if let lag { state.lag = lag }
            for change in changes {
                state.window.append(change)
                state.frontier = max(state.frontier, change.position)
                if state.conflation.admit(change, now: now) {
                    deliver(change, at: change.position, &state, &delivery)
                }
            }
            state.frontier = max(state.frontier, frontier)
            let taken = state.conflation.take(now: now)
            for held in taken { deliver(held, at: state.frontier, held: taken[0].position, &state, &delivery) }
            state.events += delivery.given
            state.overtaken += delivery.overtaken.count
            published.store(state.cursor(at: state.frontier))
            return delivery
        }
        fanOut.deliver(delivery)
        for subscriber in delivery.overtaken {
            leave(subscriber)
            subscriber.queue.finish(throwing: .fellBehind)
        }
    }

    /// Waits until the changes that are being published now were offered to all subscriptions.
    func waitUntilPublished() { state.withLock { _ in } }

    /// The time that the tail may wait until a held-back change is due.
    func rest(atMost duration: Duration, now: ContinuousClock.Instant = .now) -> Duration {
        let due = state.withLock { $0.conflation.due }
        return min(duration, due.map { max(.zero, $0 - now) } ?? duration)
    }

    private func deliver(
        _ change: Change, at position: ChangePosition, held: ChangePosition? = nil, _ state: inout State,
        _ delivery: inout ChangeDelivery
    ) {
        guard let cursor = state.cursor(at: position, held: held) else { return }
        delivery.begin()
        state.topics.offer(SharedChange(change, cursor: cursor, isOffered: true), &delivery)
        for move in delivery.moves {
            if move.joins {
                move.subscriber.join(move.topic, &state.topics)
            } else {
                move.subscriber.leave(move.topic, &state.topics)
            }
        }
    }

    /// The rows after a position that fulfil `isWanted`, and the position up to which the log was read; nil if the
    /// window does not reach back to the position.
    public func changes(
        after position: ChangePosition, where isWanted: (Change) -> Bool
    ) -> (changes: [Change], end: ChangePosition)? {
        state.withLock { state in
            guard let changes = state.window.changes(after: position) else { return nil }
            return (changes.filter(isWanted), max(position, state.frontier))
        }
    }

    /// The first row in memory that overtook a change; see `ChangeWindow.firstThatOvertook`.
    func firstThatOvertook(_ change: Change) -> ChangePosition? {
        state.withLock { $0.window.firstThatOvertook(change) }
    }

    /// Registers a subscriber, and matches the changes since its position.
    /// - Parameter after: the cursor to resume from; nil for the changes from now on.
    func join<Scope>(_ subscriber: ChangeSubscriber<Scope>, after: ChangeCursor?) -> Joined {
        state.withLock { state in
            var missed: [MatchedChange] = []
            if let after {
                guard let epoch = state.epoch, epoch == after.epoch else { return .expired }
                guard let changes = state.window.changes(after: after.position) else { return .behind }
                if let first = after.held {
                    // The cursor may come from another server, whose tail has read further than this one's. The changes
                    // that the other server held back may then be missing from this window. When this tail reads them,
                    // they are not offered, because the queue starts after the cursor's position.
                    guard after.position <= state.frontier,
                        let held = state.window.counterChanges(from: first, through: after.position)
                    else { return .behind }
                    missed = held.compactMap { subscriber.match(SharedChange($0, cursor: after)) }
                }
                for change in changes {
                    let cursor = ChangeCursor(epoch: epoch, position: change.position)
                    if let matched = subscriber.match(SharedChange(change, cursor: cursor)) { missed.append(matched) }
                }
            }
            subscriber.queue.start(after: max(after?.position ?? state.frontier, state.frontier))
            for topic in subscriber.topics { state.topics.insert(subscriber, topic) }
            state.queues[ObjectIdentifier(subscriber.queue)] = subscriber.queue
            return .live(missed: missed)
        }
    }

    func leave(_ subscriber: any TopicMember) {
        state.withLock { state in
            for topic in subscriber.topics { subscriber.leave(topic, &state.topics) }
            state.queues[ObjectIdentifier(subscriber.queue)] = nil
        }
    }

    /// A page of the window's rows after a position of an epoch; nil if the window does not reach back to it, or holds
    /// rows of another epoch.
    func changes(after position: ChangePosition, limit: Int, epoch: Int64) -> ChangePage? {
        state.withLock { state in
            guard state.epoch == epoch, let changes = state.window.changes(after: position) else { return nil }
            let page = Array(changes.prefix(limit))
            guard page.count == limit, let last = page.last else {
                return ChangePage(changes: page, end: max(position, state.frontier))
            }
            return ChangePage(changes: page, end: last.position)
        }
    }
}
