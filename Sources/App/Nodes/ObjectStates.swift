import ChangeFeed
import Postgres

/// The states of objects at a position of the log, as far as they decide who sees the objects.
enum ObjectStates {
    /// Reads the present states, then the rows of the log after the position. Each row has the object's state before
    /// the change.
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
        let none: SQL = "select null::text, null::uuid, null::uuid, null::text, null::text, null::uuid where false"
        return NodeTypes.all.reduce(none) { sql, type in
            guard let states = type.states(of: ids, for: viewer) else { return sql }
            return "\(sql) union all select \(type.kind.rawValue), s.* from (\(states)) s"
        }
    }

    func decode(_ row: Row) -> (ObjectID, ChangeState) {
        let state = ChangeState(
            owner: row.uuid(optional: 2), status: row.string(optional: 3), category: row.string(optional: 4),
            subject: row.uuid(optional: 5))
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
