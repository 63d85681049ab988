import GraphQL
import Postgres
import Synchronization

/// The changes that concern one subscription: those since its cursor, from the log or from memory, then those to come,
/// without gap or repeat.
final class ChangeStream: AsyncSequence, Sendable {
    typealias Element = MatchedChange

    let context: RequestContext
    let subscriber: ChangeSubscriber
    /// Where it begins.
    private let origin: ChangeCursor?
    /// nil where it is alone on its connection, or has no cursors.
    private let place: ChangePlace?

    private struct State {
        /// Ahead of what the subscriber is offered.
        var missed: ArraySlice<MatchedChange>
        /// As far as the log was read, while the memory does not go back so far; nil once the subscriber is offered
        /// what comes.
        var position: ChangeCursor?
    }

    private static let pageSize: Int64 = 1_000

    private let state: Mutex<State>

    /// - Parameters:
    ///   - after: nil for the changes from now on.
    ///   - place: in the order of the connection, where the client gets the cursors of its changes.
    ///   - isPersonal: whether what is selected depends on who asks.
    /// - Throws: CURSOR_EXPIRED where the log does not go back that far, or is another.
    init(
        _ scope: ChangeScope, after: ChangeCursor?, _ context: RequestContext, place: ChangePlace? = nil,
        isPersonal: Bool = true
    ) async throws {
        self.context = context
        let environment = context.environment
        let hub = environment.changes
        self.place = place
        origin = after ?? hub.cursor
        var after = after
        if let after {
            try await environment.requireReached(after)
        }
        var memberships: Memberships?
        var visibility = ChangeVisibility.everybody
        var named: NamedObjects?
        let viewer = context.viewer?.userID
        if viewer != nil && (scope.hearsOfBlocks || scope.needsMemberships) || scope.needsNamedObjects {
            // Nothing happens unnoticed between what is read here and the first change.
            guard let start = after ?? hub.cursor else { throw ExecutionError.unavailable }
            if viewer != nil, scope.needsMemberships { memberships = try await context.memberships(at: start.position) }
            if let viewer, scope.needsVisibility {
                visibility = try await environment.visibility(of: viewer, at: start.position)
            }
            if scope.needsNamedObjects {
                named = try await environment.namedObjects(of: [scope], for: viewer, at: start.position)[0]
            }
            after = after ?? ChangeCursor(epoch: start.epoch, position: start.position)
        }
        subscriber = ChangeSubscriber(
            scope: scope, viewer: viewer, isPersonal: isPersonal, named: named, memberships: memberships,
            visibility: visibility)
        switch hub.join(subscriber, after: after) {
        case .live(let missed): state = Mutex(State(missed: missed[...]))
        case .behind:
            guard let after else { throw ExecutionError.unavailable }
            try await environment.requireKept(after.position)
            state = Mutex(State(missed: [], position: after))
        case .expired: throw ExecutionError.cursorExpired
        }
    }

    deinit { context.environment.changes.leave(subscriber) }

    var position: StreamPosition? {
        // What its reader has dealt with by then is at least this much.
        let frontier = context.environment.changes.cursor
        if subscriber.isResting, let frontier { return StreamPosition(frontier.text, isResting: true) }
        return sent.map { StreamPosition($0.text, isResting: false) }
    }

    /// The cursor that follows everything sent so far.
    var sent: ChangeCursor? { subscriber.sent ?? origin }

    /// One at a time: the next goes on where the last was.
    func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    struct Iterator: AsyncIteratorProtocol {
        let stream: ChangeStream

        func next() async throws -> MatchedChange? { try await stream.next() }
    }

    /// - Returns: false where there is something to read.
    func rest(_ reader: ChangeSubscriber.Reader) -> Bool {
        guard state.withLock({ $0.missed.isEmpty && $0.position == nil }) else { return false }
        return subscriber.rest(reader, at: place)
    }

    /// Nobody reads it any more.
    func stop() {
        context.environment.changes.leave(subscriber)
        subscriber.stop()
        place?.leave()
    }

    private func next() async throws -> MatchedChange? {
        do {
            subscriber.ask(live: false)
            guard let change = try await take() else { return nil }
            let cursor = change.shared.cursor
            subscriber.give(cursor)
            let hub = context.environment.changes
            let isLast = await place?.wait(at: cursor.position) { hub.waitUntilPublished() } ?? true
            return isLast ? change : change.withCursor(cursor.before(change.shared.change))
        } catch let error as ExecutionError where error == .fellBehind {
            throw error.with(cursor: sent)
        }
    }

    private func take() async throws -> MatchedChange? {
        while true {
            let (missed, position) = state.withLock { state in
                // What was popped is let go of with the last.
                defer { if state.missed.isEmpty { state.missed = [] } }
                return (state.missed.popFirst(), state.position)
            }
            if let missed {
                guard let turn = missed.turn else { return missed }
                let turned = try await subscriber.changes(of: turn, missed.shared, context)
                state.withLock { $0.missed = turned + $0.missed }
            } else if let position {
                try await catchUp(from: position)
            } else {
                subscriber.ask(live: true)
                place?.ask(subscriber)
                guard let change = try await subscriber.next() else { return nil }
                state.withLock { $0.missed = [change] }
            }
        }
    }

    private func catchUp(from position: ChangeCursor) async throws {
        let environment = context.environment
        switch environment.changes.join(subscriber, after: position) {
        case .live(let missed): state.withLock { $0 = State(missed: missed[...]) }
        case .expired: throw ExecutionError.cursorExpired
        case .behind:
            let pool = environment.pools.worker
            var changes: [Change] = []
            if let first = position.held {
                let before = try await pool.run(ChangesBetween(first: first, last: position.position))
                changes = ChangeWindow.heldBack(before.joined())
            }
            let held = changes.map { SharedChange($0, cursor: position) }
            let statement = ChangesAfter(position: position.position, limit: Self.pageSize)
            let page = try await pool.run(statement)
            try page.requireEpoch(position.epoch)
            let read = page.changes.map { change in
                SharedChange(change, cursor: ChangeCursor(epoch: position.epoch, position: change.position))
            }
            let missed = (held + read).compactMap(subscriber.match)
            let next = ChangeCursor(epoch: position.epoch, position: statement.next(after: page).position)
            state.withLock { $0 = State(missed: missed[...], position: next) }
            // The rows were dropped while they were read.
            try await environment.requireKept(position.position)
        }
    }
}

/// Some rows of the log, one after another.
struct ChangePage {
    let changes: [Change]
    /// Where the next page begins.
    let end: ChangePosition
    /// The oldest transaction that still ran, and the next that would begin, when the log had no row after these; nil
    /// where it may have one.
    var snapshot: (running: Int64, next: Int64)?
}

extension Environment {
    /// A page of the log: from memory while that has one, then from the database, which alone knows what is newer.
    /// - Throws: CURSOR_EXPIRED where the database has another epoch.
    func changes(after position: ChangePosition, limit: Int, epoch: Int64) async throws -> ChangePage {
        if let page = changes.changes(after: position, limit: limit), !page.changes.isEmpty { return page }
        let statement = ChangesAfter(position: position, limit: Int64(limit))
        let rows = try await pools.worker.run(statement)
        try rows.requireEpoch(epoch)
        let (end, isWhole) = statement.next(after: rows)
        var page = ChangePage(changes: rows.changes, end: end)
        if isWhole, let first = rows.first { page.snapshot = (first.running, first.next) }
        return page
    }

    /// - Throws: CURSOR_EXPIRED for a cursor of another history, or of rows that were dropped.
    func requireKept(_ cursor: ChangeCursor) async throws {
        try await requireReached(cursor)
        try await requireKept(cursor.position)
    }

    /// - Throws: CURSOR_EXPIRED for a cursor of another history, or of what this one never had: it is an older copy.
    fileprivate func requireReached(_ cursor: ChangeCursor) async throws {
        guard let frontier = changes.cursor else { throw ExecutionError.unavailable }
        guard frontier.epoch == cursor.epoch else { throw ExecutionError.cursorExpired }
        if cursor.position <= frontier.position { return }
        // Another replica may have read further.
        if let next = try await pools.worker.run(NextTransaction()).first, next <= cursor.position.transaction {
            throw ExecutionError.cursorExpired
        }
    }

    fileprivate func requireKept(_ position: ChangePosition) async throws {
        if let floor = try await pools.worker.run(ChangeLogFloor()).first, position < floor {
            throw ExecutionError.cursorExpired
        }
    }
}

extension [ChangesAfter.Output] {
    /// The database may have lost history that the tail has not noticed yet.
    /// - Throws: CURSOR_EXPIRED.
    fileprivate func requireEpoch(_ epoch: Int64) throws {
        guard let history = first?.history, history.epoch == epoch, history.isCurrent else {
            throw ExecutionError.cursorExpired
        }
    }
}
