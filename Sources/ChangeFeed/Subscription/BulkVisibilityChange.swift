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
        /// A row of the log about an object that is the subject of objects named by the subscription. These named
        /// objects are hidden or shown with their subject.
        case names
    }

    public let cause: Cause
    /// True where the change hides objects, false where it shows them.
    public let isHidden: Bool
    /// The hidden or shown objects among those that the subscription names, each in its last state in the log.
    public let objects: [HiddenOrShownObject]
    /// True for a person whose objects are hidden from the viewer after the change.
    let hides: @Sendable (UUID) -> Bool

    @usableFromInline
    init<Fold: ChangeFold>(_ cause: Cause, isHidden: Bool, _ objects: [HiddenOrShownObject], _ fold: Fold) {
        self.cause = cause
        self.isHidden = isHidden
        self.objects = objects
        hides = { fold.hides($0) }
    }

    /// True where this owner's objects are hidden for another reason than this change.
    fileprivate func isHiddenOtherwise(_ owner: UUID?) -> Bool {
        guard let owner else { return false }
        if case .person(owner) = cause { return false }
        return hides(owner)
    }
}

/// An object that a bulk visibility change hides or shows.
public struct ScopeObject: Sendable {
    public let id: ObjectID
    /// nil for an object of a deleted account.
    public let owner: UUID?
    public let subject: UUID?
    /// The kind of the event that hides the object: `changed` for an object of several people, which stays visible
    /// without one of them.
    public let kindWhenHidden: ChangeKind

    public init(_ id: ObjectID, owner: UUID?, subject: UUID?, kindWhenHidden: ChangeKind = .removed) {
        self.id = id
        self.owner = owner
        self.subject = subject
        self.kindWhenHidden = kindWhenHidden
    }

    public init(_ object: HiddenOrShownObject) {
        self.init(object.id, owner: object.state?.owner, subject: object.state?.subject)
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
        let objects = try await rewind(present, to: change.cursor.position, bulk, context)
        guard objects.count <= limit else { throw ExecutionError.cursorExpired }
        let position = change.cursor.position
        let before = change.cursor.before(change.change)
        return objects.enumerated().map { number, object in
            let state = ChangeState(owner: object.owner, subject: object.subject)
            let one = Change(
                position: position, at: change.change.at, object: object.id, before: bulk.isHidden ? state : nil,
                after: bulk.isHidden ? nil : state, isCountersOnly: false)
            let shared = SharedChange(one, cursor: number == objects.count - 1 ? change.cursor : before)
            return MatchedChange(shared, bulk.isHidden ? object.kindWhenHidden : .added)
        }
    }

    /// The scope's objects at the change's position, computed from the present ones by the newer rows of the log. An
    /// object that entered the scope after the change is left out, because its own row reports it. A change that hides
    /// objects still has such an object if the client has it already. An object whose owner is hidden for another
    /// reason is left out. An object that has left the scope since the change is added.
    private func rewind(
        _ objects: [ScopeObject], to position: ChangePosition, _ bulk: BulkVisibilityChange, _ context: Context
    ) async throws -> [ScopeObject] {
        guard let rows = scope.rows(of: bulk.cause, for: viewer) else { return objects }
        let changes = try await context.changeLog.pool.run(ChangesSince(position: position, isConcerned: rows))
        if changes.count >= ChangesSince.limit { throw ExecutionError.cursorExpired }
        var seen: Set<ObjectID> = []
        var later: Set<ObjectID> = []
        var rewound: [ObjectID: ScopeObject] = [:]
        for change in changes {
            let state = change.before.flatMap { includes(change.object, $0) ? $0 : nil }
            if seen.insert(change.object).inserted, change.position.row > position.row {
                if state == nil, !bulk.isHidden || !isEarly(change.object) { later.insert(change.object) }
            }
            guard let state else { continue }
            rewound[change.object] = ScopeObject(change.object, owner: state.owner, subject: state.subject)
        }
        for object in objects { rewound[object.id] = object }
        return rewound.values.filter { !later.contains($0.id) && !bulk.isHiddenOtherwise($0.owner) }
            .sorted { $0.id.uuid < $1.id.uuid }
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
