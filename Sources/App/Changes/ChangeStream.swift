import GraphQL
import Postgres

/// The changes that concern one subscription: those since its cursor, from the log or from memory, then those to come,
/// without gap or repeat.
struct ChangeStream: AsyncSequence, Sendable {
    typealias Element = MatchedChange

    let context: RequestContext
    let subscriber: ChangeSubscriber
    let start: Start
    /// Where it begins.
    private let origin: ChangeCursor?
    /// nil where it is alone on its connection, or has no cursors.
    private let place: ChangePlace?

    enum Start: Sendable {
        case live(missed: [MatchedChange], AsyncThrowingStream<MatchedChange, any Error>)
        case behind(ChangeCursor)
    }

    /// - Parameters:
    ///   - after: nil for the changes from now on.
    ///   - place: in the order of the connection, where the client gets the cursors of its changes.
    /// - Throws: CURSOR_EXPIRED where the log does not go back that far, or is another.
    init(
        _ scope: ChangeScope, after: ChangeCursor?, _ context: RequestContext, place: ChangePlace? = nil
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
        if let viewer = context.viewer?.userID, scope.hearsOfBlocks || scope.needsMemberships {
            // Nobody comes, leaves or blocks unnoticed between what is read here and the first change.
            guard let start = after ?? hub.cursor else { throw ExecutionError.unavailable }
            if scope.needsMemberships { memberships = try await context.memberships(at: start.position) }
            if scope.needsVisibility { visibility = try await environment.visibility(of: viewer, at: start.position) }
            after = after ?? ChangeCursor(system: start.system, position: start.position)
        }
        subscriber = ChangeSubscriber(
            scope: scope, viewer: context.viewer?.userID, memberships: memberships, visibility: visibility)
        switch hub.join(subscriber, after: after) {
        case .live(let missed, let stream): start = .live(missed: missed, stream)
        case .behind:
            guard let after else { throw ExecutionError.unavailable }
            try await environment.requireKept(after.position)
            start = .behind(after)
        }
    }

    var position: StreamPosition? {
        // What its reader has dealt with by then is at least this much.
        let frontier = context.environment.changes.cursor
        if subscriber.isResting, let frontier { return StreamPosition(frontier.text, isResting: true) }
        return (subscriber.sent ?? origin).map { StreamPosition($0.text, isResting: false) }
    }

    func makeAsyncIterator() -> Iterator {
        switch start {
        case .live(let missed, let stream):
            Iterator(stream: self, missed: missed[...], live: stream.makeAsyncIterator(), position: nil)
        case .behind(let cursor): Iterator(stream: self, missed: [], live: nil, position: cursor)
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        private static let pageSize: Int64 = 1_000

        let stream: ChangeStream
        var missed: ArraySlice<MatchedChange>
        var live: AsyncThrowingStream<MatchedChange, any Error>.Iterator?
        /// As far as the log was read, while the memory does not go back so far.
        var position: ChangeCursor?

        mutating func next() async throws -> MatchedChange? {
            do {
                stream.subscriber.ask(live: false)
                guard let change = try await take() else { return nil }
                let cursor = change.shared.cursor
                stream.subscriber.give(cursor)
                let hub = stream.context.environment.changes
                let isLast = await stream.place?.wait(at: cursor.position) { hub.waitUntilPublished() } ?? true
                return isLast ? change : change.withCursor(cursor.before(change.shared.change))
            } catch let error as ExecutionError where error == .fellBehind {
                throw error.with(cursor: stream.subscriber.sent ?? stream.origin)
            }
        }

        private mutating func take() async throws -> MatchedChange? {
            while true {
                if let change = missed.popFirst() {
                    guard let turn = change.turn else { return stream.subscriber.now(change) }
                    missed = try await stream.subscriber.changes(of: turn, change.shared, stream.context) + missed
                } else if live != nil {
                    stream.subscriber.ask(live: true)
                    stream.place?.ask(stream.subscriber)
                    guard let change = try await live?.next() else { return nil }
                    missed = [change]
                } else {
                    guard let position else { return nil }
                    try await catchUp(position)
                }
            }
        }

        private mutating func catchUp(_ position: ChangeCursor) async throws {
            switch stream.context.environment.changes.join(stream.subscriber, after: position) {
            case .live(let missed, let live):
                self.missed = missed[...]
                self.live = live.makeAsyncIterator()
            case .behind:
                let pool = stream.context.environment.pools.worker
                var changes: [Change] = []
                if let first = position.held {
                    let before = try await pool.run(ChangesBetween(first: first, last: position.position))
                    changes = ChangeWindow.heldBack(before.compactMap { $0 })
                }
                let held = changes.map { SharedChange($0, cursor: position) }
                let statement = ChangesAfter(position: position.position, limit: Self.pageSize)
                let page = try await pool.run(statement)
                let read = page.compactMap(\.change).map { change in
                    SharedChange(change, cursor: ChangeCursor(system: position.system, position: change.position))
                }
                missed = (held + read).compactMap(stream.subscriber.match)[...]
                self.position = ChangeCursor(
                    system: position.system, position: statement.next(after: page).position)
                // The rows were dropped while they were read.
                try await stream.context.environment.requireKept(position.position)
            }
        }
    }
}

extension Environment {
    /// A page of the log, from memory or from the database; `end` is where the next begins.
    func changes(
        after position: ChangePosition, limit: Int
    ) async throws -> (changes: [Change], end: ChangePosition, isLast: Bool) {
        if let page = changes.changes(after: position, limit: limit) { return page }
        let statement = ChangesAfter(position: position, limit: Int64(limit))
        let rows = try await pools.worker.run(statement)
        let (end, isLast) = statement.next(after: rows)
        return (rows.compactMap(\.change), end, isLast)
    }

    /// - Throws: CURSOR_EXPIRED for a cursor of another database, or of rows that were dropped.
    func requireKept(_ cursor: ChangeCursor) async throws {
        try await requireReached(cursor)
        try await requireKept(cursor.position)
    }

    /// - Throws: CURSOR_EXPIRED for a cursor of another database, or of what this one never had: it is an older copy.
    fileprivate func requireReached(_ cursor: ChangeCursor) async throws {
        guard let frontier = changes.cursor else { throw ExecutionError.unavailable }
        guard frontier.system == cursor.system else { throw ExecutionError.cursorExpired }
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
