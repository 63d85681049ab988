import GraphQL
import Postgres

/// A row of the log that shows or hides many objects of a subscription at once: for example a block, its end, or a
/// change of a subject's status.
public final class BulkVisibilityChange: Sendable {
    public enum Cause: Sendable {
        /// A block or its end: all that this person wrote is hidden or shown.
        case person(UUID)
        /// A subject's change of status: the objects that belong to the subject are hidden or shown with it.
        case subject(UUID)
        /// A change of the subject of objects that the subscription names.
        case names
    }

    public let cause: Cause
    public let isHidden: Bool
    /// The hidden or shown objects among those that the subscription names, each in its last state in the log.
    public let objects: [HiddenOrShownObject]
    /// Whether the objects of a person are hidden from the viewer after the change.
    let hides: @Sendable (UUID) -> Bool

    @usableFromInline
    init<Fold: ChangeFold>(_ cause: Cause, isHidden: Bool, _ objects: [HiddenOrShownObject], _ fold: Fold) {
        self.cause = cause
        self.isHidden = isHidden
        self.objects = objects
        hides = { fold.hides($0) }
    }

    /// Whether this owner's objects are hidden for another reason than this change.
    fileprivate func isHiddenOtherwise(_ owner: UUID?) -> Bool {
        guard let owner else { return false }
        if case .person(owner) = cause { return false }
        return hides(owner)
    }
}

/// An object that a bulk visibility change hides or shows.
public struct ScopeObject: Sendable {
    public let id: ObjectID
    /// The object's state as far as it is known. An object of a deleted account has no owner.
    public let state: ChangeState
    /// The kind of the event that hides the object: `changed` for an object of several people, which stays visible
    /// without one of them.
    public let kindWhenHidden: ChangeKind

    public init(_ id: ObjectID, _ state: ChangeState, kindWhenHidden: ChangeKind = .removed) {
        self.id = id
        self.state = state
        self.kindWhenHidden = kindWhenHidden
    }

    public init(_ object: HiddenOrShownObject) {
        self.init(object.id, object.state ?? ChangeState())
    }
}

extension ChangeSubscriber {
    /// The number of objects above which the client has to read the list again.
    static var bulkLimit: Int { 256 }

    /// One change for each object of the scope that a bulk visibility change hides or shows. The last change has the
    /// cursor of the log's row; the others have a cursor just before the row. A client that resumes from such a cursor
    /// receives all changes again, so none is lost.
    /// - Throws: CURSOR_EXPIRED if there are more than `limit` such objects, or too many newer rows about them.
    func changes(
        of bulk: BulkVisibilityChange, _ change: SharedChange, _ context: Context, limit: Int
    ) async throws -> [MatchedChange] {
        if leavesOut(bulk, by: change.change) { return [] }
        let present = try await scope.objects(of: bulk, limit: limit + 1, context)
        let objects = try await rewind(present, to: change, bulk, context)
        guard objects.count <= limit else { throw ExecutionError.cursorExpired }
        let position = change.cursor.position
        let before = change.cursor.before(change.change)
        return objects.enumerated().map { number, object in
            let one = Change(
                position: position, writer: change.change.writer, at: change.change.at, object: object.id,
                before: bulk.isHidden ? object.state : nil,
                after: bulk.isHidden ? nil : object.state, isCountersOnly: false)
            let shared = SharedChange(one, cursor: number == objects.count - 1 ? change.cursor : before)
            return MatchedChange(shared, bulk.isHidden ? object.kindWhenHidden : .added)
        }
    }

    /// The scope's objects at the position of a bulk visibility change, computed from the present ones by the newer rows
    /// of the log. An object that has left the scope since the change is added. An object that entered the scope after
    /// the change is left out: unless its owner is hidden, its own row reports it. For a block, an object that entered
    /// later is kept if the client may have read it before the block was committed.
    private func rewind(
        _ objects: [ScopeObject], to change: SharedChange, _ bulk: BulkVisibilityChange, _ context: Context
    ) async throws -> [ScopeObject] {
        guard let condition = scope.rows(of: bulk, for: viewer) else { return objects }
        let rows = try await context.changeLog.pool.run(
            ChangesSince(position: change.cursor.position, isConcerned: condition))
        if rows.count >= ChangesSince.limit { throw ExecutionError.cursorExpired }
        var rewound: [ObjectID: ScopeObject] = [:]
        /// For each object that was not in the scope at the change's position, the row with which it entered.
        var entries: [ObjectID: Change] = [:]
        for row in rows {
            let object = row.object
            if let state = row.before, includes(object, state) {
                rewound[object] = ScopeObject(object, state)
            } else if rewound[object] == nil, !(entries[object].map(isInScope) ?? false) {
                entries[object] = row
            }
        }
        for object in objects { rewound[object.id] = object }
        return rewound.values.filter { object in
            if bulk.isHiddenOtherwise(object.state.owner) { return false }
            guard let entry = entries[object.id] else { return true }
            return bulk.isHidden && mayHave(entry, hiddenBy: change.change, bulk.cause)
        }
        .sorted { $0.id.uuid < $1.id.uuid }
    }

    /// Whether the scope covers the object of a row after the row.
    private func isInScope(_ row: Change) -> Bool { row.after.map { includes(row.object, $0) } ?? false }

    /// Whether the client may have an object whose entry stands behind the row of a bulk visibility change.
    private func mayHave(_ entry: Change, hiddenBy change: Change, _ cause: BulkVisibilityChange.Cause) -> Bool {
        switch cause {
        case .person: mayHave(entry, hiddenBy: change)
        // The objects on a subject are written under the lock of the subject's row, so the entry was committed after
        // the change.
        case .subject, .names: isEarly(entry.object)
        }
    }
}

/// The rows of the log after a position that concern some objects. The rows of one object come in the order in which
/// they were written.
private struct ChangesSince: Statement {
    static let limit = 10_000

    let position: ChangePosition
    let isConcerned: SQL

    var sql: SQL {
        """
        select \(unsafe: Change.columns) from change_log c \
        cross join lateral (select (coalesce(c.before, c.after)).*) s \
        where (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row)) \
        and not c.counters_only and \(isConcerned) order by c.id limit \(Int64(Self.limit))
        """
    }

    func decode(_ row: Row) -> Change { Change(row: row) }
}
