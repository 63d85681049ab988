import GraphQL
import Postgres

/// Something that makes many objects of a subscription visible or hidden at once.
public final class BulkVisibilityChange: Sendable {
    public enum Cause: Sendable {
        /// What a person wrote is hidden, or shown again.
        case person(UUID)
        /// What stands on an object comes and goes with it.
        case subject(UUID)
        /// Something that objects stand on which the subscription names.
        case names
    }

    public let cause: Cause
    public let isHidden: Bool
    /// Those that the subscription names, each as the log had it.
    public let objects: [TurnedObject]
    /// Whether the viewer sees nothing of a person after it.
    let hides: @Sendable (UUID) -> Bool

    @usableFromInline
    init<Fold: ChangeFold>(_ cause: Cause, isHidden: Bool, _ objects: [TurnedObject], _ fold: Fold) {
        self.cause = cause
        self.isHidden = isHidden
        self.objects = objects
        hides = { fold.hides($0) }
    }

    /// Whether what this person wrote is hidden by something else.
    fileprivate func isUnseen(_ owner: UUID?) -> Bool {
        guard let owner else { return false }
        if case .person(owner) = cause { return false }
        return hides(owner)
    }
}

/// An object that a bulk change hides or shows.
public struct ScopeObject: Sendable {
    public let id: ObjectID
    /// nil for a deleted account's.
    public let owner: UUID?
    public let subject: UUID?
    /// How it is told where it is hidden: `changed` for what others can still be seen in.
    public let kindWhenHidden: ChangeKind

    public init(_ id: ObjectID, owner: UUID?, subject: UUID?, kindWhenHidden: ChangeKind = .removed) {
        self.id = id
        self.owner = owner
        self.subject = subject
        self.kindWhenHidden = kindWhenHidden
    }

    public init(_ object: TurnedObject) {
        self.init(object.id, owner: object.state?.owner, subject: object.state?.subject)
    }
}

extension ChangeSubscriber {
    /// More objects than this are not told one by one: the client reads anew.
    static var bulkLimit: Int { 256 }

    /// What a bulk change does to the objects of the scope. All but the last have a cursor before the change: who goes on
    /// from there gets them again, none is lost.
    /// - Throws: CURSOR_EXPIRED where there are more than `limit`.
    func changes(
        of bulk: BulkVisibilityChange, _ change: SharedChange, _ context: Context, limit: Int
    ) async throws -> [MatchedChange] {
        if passesOver(bulk, by: change.change) { return [] }
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

    /// Back from the present: without what came into the scope later, as its own change tells of it, or nobody while its
    /// owner is hidden; and with what was there, but is not any more.
    private func rewind(
        _ objects: [ScopeObject], to position: ChangePosition, _ bulk: BulkVisibilityChange, _ context: Context
    ) async throws -> [ScopeObject] {
        guard let rows = scope.rows(of: bulk.cause) else { return objects }
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
        return rewound.values.filter { !later.contains($0.id) && !bulk.isUnseen($0.owner) }
            .sorted { $0.id.uuid < $1.id.uuid }
    }
}

/// The rows after a position about some objects: those of one object in the order in which they were written.
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
