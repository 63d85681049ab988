import GraphQL
import Postgres
import Synchronization

/// The changes that concern one subscription: first those since its cursor, from the log or from memory, then live
/// ones, without gap or repeat.
public final class ChangeStream<Scope: ChangeScope>: AsyncSequence, Sendable {
    public typealias Element = MatchedChange

    let context: Scope.Context
    public let subscriber: ChangeSubscriber<Scope>
    /// The cursor at which the stream begins.
    private let origin: ChangeCursor?
    /// The slot in the connection's order; nil where the subscription is alone on its connection, or gives no cursors.
    private let slot: SequencerSlot?

    private struct State {
        /// The changes to read before those in the subscriber's queue.
        var missed: ArraySlice<MatchedChange>
        /// The cursor up to which the log was read, while the window in memory does not reach back to it; nil once the
        /// subscriber is offered live changes.
        var position: ChangeCursor?
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - after: the cursor to resume from; nil for the changes from now on.
    ///   - slot: the slot in the connection's order, if the client gets the cursors of the changes.
    ///   - isPersonal: whether the selection depends on the viewer.
    /// - Throws: CURSOR_EXPIRED if the log does not reach back to the cursor, has not reached it, or has another epoch.
    public init(
        _ scope: Scope, after: ChangeCursor?, _ context: Scope.Context, slot: SequencerSlot? = nil,
        isPersonal: Bool = true
    ) async throws {
        self.context = context
        self.slot = slot
        let log = context.changeLog
        origin = after ?? log.hub.cursor
        var after = after
        if let after { try await log.requireReached(after) }
        var fold: Scope.Fold?
        if scope.needsLoad(for: context.viewerID) {
            // The fold is loaded for the position after which the changes begin, so that no row between is missed.
            guard let start = after ?? log.hub.cursor else { throw PostgresError.unavailable }
            fold = try await Scope.load([scope], FoldLoader(context, at: start.position))[0]
            after = after ?? ChangeCursor(epoch: start.epoch, position: start.position)
        }
        subscriber = ChangeSubscriber(scope: scope, viewer: context.viewerID, isPersonal: isPersonal, fold: fold)
        switch log.hub.join(subscriber, after: after) {
        case .live(let missed): state = Mutex(State(missed: missed[...]))
        case .behind:
            guard let after else { throw PostgresError.unavailable }
            try await log.requireKept(after.position)
            state = Mutex(State(missed: [], position: after))
        case .expired: throw ExecutionError.cursorExpired
        }
    }

    deinit { context.changeLog.hub.leave(subscriber) }

    var position: StreamPosition? {
        // Read before `isIdle`: an idle reader has handled at least all changes up to this cursor.
        let frontier = context.changeLog.hub.cursor
        if subscriber.queue.isIdle, let frontier { return StreamPosition(frontier.text, isCaughtUp: true) }
        return sent.map { StreamPosition($0.text, isCaughtUp: false) }
    }

    /// The cursor of the last change that the reader handled; before the first change, the one at which the stream
    /// begins.
    var sent: ChangeCursor? { subscriber.queue.sent ?? origin }

    /// An iterator that continues where the last one ended. Only one may be in use at a time.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    public struct Iterator: AsyncIteratorProtocol {
        let stream: ChangeStream

        public func next() async throws -> MatchedChange? { try await stream.next() }
    }

    /// - Returns: false if a task has something to read.
    func park(_ reader: ChangeReader) -> Bool {
        guard state.withLock({ $0.missed.isEmpty && $0.position == nil }) else { return false }
        return subscriber.queue.park(reader, at: slot)
    }

    /// Ends the subscription, because nobody reads it any more.
    public func stop() {
        context.changeLog.hub.leave(subscriber)
        subscriber.queue.stop()
        slot?.leave()
    }

    private func next() async throws -> MatchedChange? {
        do {
            subscriber.queue.ask(live: false)
            guard let change = try await take() else { return nil }
            let cursor = change.shared.cursor
            subscriber.queue.give(cursor)
            let hub = context.changeLog.hub
            let isLast = await slot?.wait(at: cursor.position) { hub.waitUntilPublished() } ?? true
            return isLast ? change : change.withCursor(cursor.before(change.shared.change))
        } catch let error as ExecutionError where error == .fellBehind {
            throw error.with(cursor: sent)
        }
    }

    private func take() async throws -> MatchedChange? {
        while true {
            let (missed, position) = state.withLock { state in
                // The last pop also releases the storage of the popped changes.
                defer { if state.missed.isEmpty { state.missed = [] } }
                return (state.missed.popFirst(), state.position)
            }
            if let missed {
                guard let bulk = missed.bulk else { return missed }
                let changes = try await subscriber.changes(of: bulk, missed.shared, context)
                state.withLock { $0.missed = changes + $0.missed }
            } else if let position {
                try await catchUp(from: position)
            } else {
                subscriber.queue.ask(live: true)
                slot?.ask(subscriber.queue)
                guard let change = try await subscriber.queue.next() else { return nil }
                state.withLock { $0.missed = [change] }
            }
        }
    }

    private func catchUp(from position: ChangeCursor) async throws {
        let log = context.changeLog
        switch log.hub.join(subscriber, after: position) {
        case .live(let missed): state.withLock { $0 = State(missed: missed[...]) }
        case .expired: throw ExecutionError.cursorExpired
        case .behind:
            var changes: [Change] = []
            if let first = position.held {
                changes = try await log.heldBack(from: first, through: position.position)
            }
            let held = changes.map { SharedChange($0, cursor: position) }
            let statement = log.rows(after: position.position, limit: 1_000)
            let page = try await log.pool.read(statement, durableAfter: position.position)
            try page.requireEpoch(position.epoch)
            let read = page.changes.map { change in
                SharedChange(change, cursor: ChangeCursor(epoch: position.epoch, position: change.position))
            }
            let missed = (held + read).compactMap(subscriber.match)
            let next = ChangeCursor(epoch: position.epoch, position: statement.next(after: page).position)
            state.withLock { $0 = State(missed: missed[...], position: next) }
            // Checked after the read, because rows may have been dropped during it.
            try await log.requireKept(position.position)
        }
    }
}
