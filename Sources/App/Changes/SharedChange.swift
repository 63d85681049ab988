import GraphQL
import Postgres
import Synchronization

/// A change on its way to subscribers. Those who see the same share one reading of its object.
final class SharedChange: Sendable {
    private struct State {
        var readAt: ContinuousClock.Instant?
        var blocks: Task<Set<UUID>, any Error>?
        /// Who made or met a block of which the tail had not told when the object was read.
        var people: Set<UUID> = []
    }

    let change: Change
    let cursor: ChangeCursor
    /// Whether subscribers were offered it as it came. What one alone catches up with is read in its own name.
    let isOffered: Bool
    let createdAt = ContinuousClock.now
    /// As everybody may see it.
    let reading: NodeReading
    private let audiences = Mutex<[ChangeKind: EventAudience<RequestContext>]>([:])
    private let state = Mutex(State())

    init(_ change: Change, cursor: ChangeCursor, isOffered: Bool = false) {
        self.change = change
        self.cursor = cursor
        self.isOffered = isOffered
        reading = NodeReading(change.object)
    }

    /// Those who see what everybody may see.
    func everybody(_ kind: ChangeKind, _ environment: Environment) -> EventAudience<RequestContext> {
        audiences.withLock { audiences in
            if let audience = audiences[kind] { return audience }
            let audience = EventAudience(
                context: RequestContext(environment: environment, viewer: nil), responses: ChangeResponses())
            audiences[kind] = audience
            return audience
        }
    }

    /// The object as everybody may see it. Blocks are looked for after it was read: one that was committed before, of which
    /// the tail has not told yet, is among them.
    func read(_ environment: Environment) -> Pending<Node?> {
        state.withLock { $0.readAt = $0.readAt ?? .now }
        let node = reading.node(for: RequestContext(environment: environment, viewer: nil).everybody)
        let blocks = state.withLock { state in
            if let task = state.blocks { return task }
            let started = Task {
                _ = try await node.value()
                guard let position = environment.changes.cursor?.position else { throw ExecutionError.unavailable }
                return Set(try await environment.pools.worker.run(PeopleOfBlocks(position: position)))
            }
            state.blocks = started
            return started
        }
        return Pending { [self] in
            let people = try await blocks.value
            if !people.isEmpty { state.withLock { $0.people = people } }
            return try await node.value()
        }
    }

    /// Whether it was read while the tail had not told of a block that this person made or met.
    func isRead(beforeBlocksOf person: UUID) -> Bool { state.withLock { $0.people.contains(person) } }

    /// Whether it was read before a newer change of the object came, which may hide it.
    func isRead(before newer: SharedChange) -> Bool {
        guard newer.change.object == change.object, !newer.change.isCountersOnly, newer !== self else { return false }
        return state.withLock { $0.readAt.map { $0 <= newer.createdAt } ?? false }
    }
}

/// Those who made or met a block, or the end of one, after a position.
private struct PeopleOfBlocks: Statement {
    let position: ChangePosition

    var sql: SQL {
        """
        select p.id from change_log c cross join lateral (select (coalesce(c.after, c.before)).*) s \
        cross join lateral (values (s.author_id), (s.subject_id)) p (id) \
        where c.type = 'block' and (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row))
        """
    }

    func decode(_ row: Row) -> UUID { row.uuid(0) }
}

/// The object of a change as it is when it goes out, read once however many fields ask.
final class NodeReading: Sendable {
    let object: TypeID
    private let task = Mutex<Task<Node?, any Error>?>(nil)

    init(_ object: TypeID) { self.object = object }

    /// nil where it is gone, or not visible.
    func node(in context: RequestContext) -> Pending<Node?> { once { [object] in context.changedNode(object) } }

    /// nil also for an object of a private kind, which is never shared.
    func node(for everybody: Everybody) -> Pending<Node?> { once { [object] in everybody.changedNode(object) } }

    private func once(_ read: @escaping @Sendable () -> Pending<Node?>) -> Pending<Node?> {
        let task = task.withLock { task in
            if let task { return task }
            let started = Task { try await read().value() }
            task = started
            return started
        }
        return Pending { try await task.value }
    }
}

extension RequestContext {
    fileprivate func changedNode(_ id: TypeID) -> Pending<Node?> {
        id.kind.isPrivate ? nodes([id]).map { $0[0] } : everybody.changedNode(id)
    }
}

extension Everybody {
    /// With its author, in one statement.
    fileprivate func changedNode(_ id: TypeID) -> Pending<Node?> {
        switch id.kind {
        case .thought: first(ThoughtByID(id: id.uuid, author: .joined), Node.thought)
        case .event: first(EventsByID(ids: [id.uuid], author: .joined), Node.event)
        case .comment: first(CommentsByID(ids: [id.uuid]), Node.comment)
        case .user: first(UsersByID(ids: [id.uuid]), Node.user)
        case .image: first(ImageNodes(ids: [id.uuid]), Node.image)
        case .viewer, .session, .conversation, .message, .notification, .device, .report: Pending(nil)
        }
    }

    private func first<S: Statement>(
        _ statement: S, _ node: @escaping @Sendable (S.Output) -> Node
    ) -> Pending<Node?> where S.Output: SharedObject {
        start(statement).pending.map { $0.first.map(node) }
    }
}
