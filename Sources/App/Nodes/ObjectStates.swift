import ChangeFeed
import Postgres

/// The states of objects at a position of the log, as far as they decide who sees the objects.
enum ObjectStates {
    /// Reads the present states first. Then each row of the log after the position tells the state before it.
    /// - Parameter viewer: the account whose messages are read; nil for none.
    static func load(
        _ ids: Set<UUID>, for viewer: UUID?, _ loader: FoldLoader<RequestContext>
    ) async throws -> [ObjectID: ChangeState] {
        if ids.isEmpty { return [:] }
        let (pool, hub) = (loader.context.environment.pools.worker, loader.context.environment.changes)
        let position = loader.position
        let present = try await pool.run(PresentObjects(ids: Array(ids), viewer: viewer))
        var states = Dictionary(present, uniquingKeysWith: { first, _ in first })
        let known = hub.changes(after: position) {
            !$0.isCountersOnly && $0.object.kind != .block && ids.contains($0.object.uuid)
        }
        let rest = try await pool.run(FirstChanges(position: known?.end ?? position, ids: Array(ids)))
        // The rows are applied from the newest to the oldest, so that the oldest row about an object decides.
        let rows = (known?.changes ?? []) + rest
        for change in rows.sorted(by: { $0.position.row > $1.position.row }) { states[change.object] = change.before }
        return states
    }
}

private struct PresentObjects: Statement {
    let ids: [UUID]
    let viewer: UUID?

    var sql: SQL {
        """
        select 'thought', t.id, t.author_id, t.status, null::uuid from thoughts t where t.id = any(\(ids)) \
        union all select 'event', e.id, e.author_id, null, null from events e where e.id = any(\(ids)) \
        union all select 'user', u.id, u.id, null, null from users u where u.id = any(\(ids)) \
        union all select 'comment', c.id, c.author_id, null, coalesce(c.thought_id, c.event_id) from comments c \
        where c.id = any(\(ids)) \
        union all select 'message', m.id, m.author_id, null, m.conversation_id from messages m \
        join conversation_members p on p.conversation_id = m.conversation_id \
        where m.id = any(\(ids)) and p.user_id = \(viewer) and not m.number <@ p.absences
        """
    }

    func decode(_ row: Row) -> (ObjectID, ChangeState) {
        let state = ChangeState(
            owner: row.uuid(optional: 2), status: row.string(optional: 3), subject: row.uuid(optional: 4))
        return (ObjectID(ObjectKind(rawValue: row.string(0)), row.uuid(1)), state)
    }
}

/// The first change of each object after a position, without those of counters alone.
private struct FirstChanges: Statement {
    let position: ChangePosition
    let ids: [UUID]

    var sql: SQL {
        """
        select distinct on (c.type, c.object_id) \(unsafe: Change.columns) from change_log c \
        where (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row)) \
        and not c.counters_only and c.type <> 'block' and c.object_id = any(\(ids)) \
        order by c.type, c.object_id, c.id
        """
    }

    func decode(_ row: Row) -> Change { Change(row: row) }
}
