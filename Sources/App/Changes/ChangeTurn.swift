import GraphQL
import Postgres

/// Something that makes many objects of a subscription visible or hidden at once.
struct ChangeTurn: Sendable {
    enum Cause: Sendable {
        /// A block of this person, or its end.
        case person(UUID)
        /// A thought with comments on it was published, or is a draft again.
        case thought(UUID)
        /// Something that objects stand on which the subscription names.
        case names
    }

    let cause: Cause
    let isHidden: Bool
    /// Those that the subscription names, each as the log had it.
    let objects: [(id: TypeID, state: ChangeState?)]
    /// Whom the viewer sees nothing of after it.
    let visibility: ChangeVisibility
}

extension Change {
    /// Of a block, both.
    var people: [UUID] {
        guard let state = after ?? before else { return [] }
        return [state.authorID, state.subjectID].compactMap { $0 }
    }

    /// Whether a thought is now, where it was otherwise before.
    var isPublished: Bool? {
        guard object.kind == .thought, let before, let after, before.status != after.status else { return nil }
        return after.status == .published
    }
}

extension ChangeTurn {
    /// Whether what this person wrote is hidden by another block.
    fileprivate func isUnseen(_ author: UUID?) -> Bool {
        guard let author else { return false }
        if case .person(author) = cause { return false }
        return visibility.hides(author, inMail: false)
    }
}

extension ChangeSubscriber {
    /// More objects than this are not told one by one: the client reads anew.
    static let turnLimit = 256

    /// What a turn does to the objects of the scope. All but the last have a cursor before the turn: who goes on from there
    /// gets them again, none is lost.
    /// - Throws: CURSOR_EXPIRED where there are more than `limit`.
    func changes(
        of turn: ChangeTurn, _ change: SharedChange, _ context: RequestContext, limit: Int = turnLimit
    ) async throws -> [MatchedChange] {
        if passesOver(turn, by: change.change) { return [] }
        var objects = try await objects(of: turn, context, limit: limit + 1)
        objects = try await rewind(objects, to: change.cursor.position, turn, context)
        guard objects.count <= limit else { throw ExecutionError.cursorExpired }
        let position = change.cursor.position
        let before = change.cursor.before(change.change)
        return objects.enumerated().map { number, object in
            let state = ChangeState(
                authorID: object.authorID, status: nil, category: nil, startsAt: nil, subjectID: object.subjectID)
            let one = Change(
                position: position, at: change.change.at, object: object.id, before: turn.isHidden ? state : nil,
                after: turn.isHidden ? nil : state, isCountersOnly: false)
            // Of a group of people that one of them leaves, the others stay.
            let kind: ChangeKind = !turn.isHidden ? .added : object.id.kind == .notification ? .changed : .removed
            let shared = SharedChange(one, cursor: number == objects.count - 1 ? change.cursor : before)
            return MatchedChange(shared, kind)
        }
    }

    /// Back from the present: without what came into the scope later, as its own change tells of it, or nobody while its
    /// owner is hidden; and with what was there, but is not any more.
    private func rewind(
        _ objects: [ObjectOfScope.Output], to position: ChangePosition, _ turn: ChangeTurn, _ context: RequestContext
    ) async throws -> [ObjectOfScope.Output] {
        guard let statement = ChangesSince(position: position, scope: scope, cause: turn.cause) else { return objects }
        let changes = try await context.environment.pools.worker.run(statement).compactMap { $0 }
        if changes.count >= ChangesSince.limit { throw ExecutionError.cursorExpired }
        var seen: Set<TypeID> = []
        var later: Set<TypeID> = []
        var rewound: [TypeID: ObjectOfScope.Output] = [:]
        for change in changes {
            let state = change.before.flatMap { includes(change.object, $0) ? $0 : nil }
            if seen.insert(change.object).inserted, change.position.row > position.row {
                if state == nil, !turn.isHidden || !isEarly(change.object) { later.insert(change.object) }
            }
            guard let state else { continue }
            rewound[change.object] = ObjectOfScope.Output(
                id: change.object, authorID: state.authorID, subjectID: state.subjectID)
        }
        for object in objects { rewound[object.id] = object }
        return rewound.values.filter { !later.contains($0.id) && !turn.isUnseen($0.authorID) }
            .sorted { $0.id.uuid < $1.id.uuid }
    }
}

extension ChangeSubscriber {
    private func objects(
        of turn: ChangeTurn, _ context: RequestContext, limit: Int
    ) async throws -> [ObjectOfScope.Output] {
        let environment = context.environment
        switch (scope, turn.cause) {
        case (.objects(let ids), let cause):
            let objects = turn.objects.map { object in
                ObjectOfScope.Output(
                    id: object.id, authorID: object.state?.authorID, subjectID: object.state?.subjectID)
            }
            guard case .person(let person) = cause, let statement = ObjectOfScope(notifications: ids, person: person)
            else { return objects }
            return try await objects + context.start(statement).value
        case (_, .thought(let thought)):
            let comments = try await environment.pools.worker.run(
                CommentsBehind(subject: thought, limit: Int64(limit)))
            return comments
        case (_, .person(let person)):
            guard let statement = ObjectOfScope(scope: scope, person: person, limit: Int64(limit)) else { return [] }
            // What is hidden from the viewer everybody else sees; what is the viewer's alone is not hidden by policies.
            let everybody = RequestContext(environment: environment, viewer: nil)
            return try await (scope.isMail ? context : everybody).start(statement).value
        case (_, .names): return []
        }
    }
}

/// What became after a position of the objects that the cause hides or shows, as far as the log tells whose they are:
/// the rows of one object in the order in which they were written.
private struct ChangesSince: Statement {
    static let limit = 10_000

    let sql: SQL

    init?(position: ChangePosition, scope: ChangeScope, cause: ChangeTurn.Cause) {
        let isConcerned: SQL
        switch (scope, cause) {
        // Their rows do not tell who else is concerned.
        case (.notifications, _), (.conversations, _), (.account, _), (.viewer, _): return nil
        // They are known as of the position.
        case (.objects, _), (_, .names): return nil
        case (.comments, .thought(let thought)): isConcerned = "s.subject_id = \(thought)"
        case (.comments(let subject, let owner), .person(let person)) where owner == person:
            isConcerned = "s.subject_id = \(subject)"
        case (_, .person(let person)): isConcerned = "s.author_id = \(person)"
        case (_, .thought): return nil
        }
        sql = """
            select \(unsafe: ChangesAfter.columns) from change_log c \
            cross join lateral (select (coalesce(c.before, c.after)).*) s \
            where (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row)) \
            and not c.counters_only and \(isConcerned) order by c.id limit \(Int64(Self.limit))
            """
    }

    func decode(_ row: Row) -> Change? { Change(row: row, offset: 0) }
}

/// The objects of a scope that a block of somebody hides.
private struct ObjectOfScope: Statement {
    struct Output: Sendable {
        let id: TypeID
        /// nil for a deleted account's.
        let authorID: UUID?
        let subjectID: UUID?
    }

    let sql: SQL

    init?(scope: ChangeScope, person: UUID, limit: Int64) {
        let objects: SQL
        switch scope {
        case .feed(let filter):
            if let author = filter.thoughts.authorID, author != person { return nil }
            objects = Self.feed(filter, person)
        case .events(let filter):
            if let author = filter.authorID, author != person { return nil }
            objects = Self.events(filter, person)
        case .comments(let subject, let owner): objects = Self.comments(on: subject, of: owner == person ? nil : person)
        case .notifications:
            objects = """
                select 'notification', n.id, n.user_id, null::uuid from notifications n where n.user_id = viewer_id() \
                and \(person) = any(n.actors)
                """
        case .conversations:
            objects = """
                select 'conversation', p.conversation_id, null::uuid, p.conversation_id from conversation_members p \
                where p.user_id = viewer_id() and p.pair_with = \(person) and p.left_at is null
                """
        case .messages(let conversation):
            objects = """
                select 'message', m.id, m.author_id, m.conversation_id from conversation_members p \
                join messages m on m.conversation_id = p.conversation_id \
                where p.user_id = viewer_id() and p.left_at is null and not m.number <@ p.absences \
                and p.conversation_id = coalesce(\(conversation), p.conversation_id) \
                and (p.pair_with = \(person) or m.author_id = \(person))
                """
        case .objects, .account, .viewer: return nil
        }
        sql = Self.inOrder("\(objects) limit \(limit)")
    }

    /// The viewer's notifications among the objects that a scope names: the log does not tell of whom they are.
    init?(notifications objects: Set<TypeID>, person: UUID) {
        let ids = objects.filter { $0.kind == .notification }.map(\.uuid)
        if ids.isEmpty { return nil }
        sql = Self.inOrder(
            """
            select 'notification', n.id, n.user_id, null::uuid from notifications n \
            where n.id = any(\(ids)) and n.user_id = viewer_id() and \(person) = any(n.actors)
            """)
    }

    private static func inOrder(_ objects: SQL) -> SQL {
        "select o.type, o.id, o.author, o.subject from (\(objects)) o (type, id, author, subject) order by o.id"
    }

    private static func feed(_ filter: FeedFilter, _ person: UUID) -> SQL {
        var thoughts: SQL = """
            select 'thought', t.id, t.author_id, null::uuid from thoughts t \
            where t.author_id = \(person) and t.status = 'PUBLISHED'
            """
        if let categories = filter.thoughts.categories { thoughts = "\(thoughts) and t.category = any(\(categories))" }
        let events = events(EventFilter(), person)
        switch (filter.includesThoughts, filter.includesEvents) {
        case (true, true): return "\(thoughts) union all \(events)"
        case (true, false): return thoughts
        case (false, _): return events
        }
    }

    private static func events(_ filter: EventFilter, _ person: UUID) -> SQL {
        var sql: SQL = "select 'event', e.id, e.author_id, null::uuid from events e where e.author_id = \(person)"
        if let instant = filter.startsAfter { sql = "\(sql) and e.starts_at >= \(instant)" }
        if let instant = filter.startsBefore { sql = "\(sql) and e.starts_at < \(instant)" }
        if let instant = filter.endsAfter { sql = "\(sql) and e.ends_at > \(instant)" }
        return sql
    }

    /// - Parameter author: nil for everybody's.
    private static func comments(on subject: UUID, of author: UUID?) -> SQL {
        let all: SQL = "select 'comment', c.id, c.author_id, \(subject) from comments c"
        guard let author else { return "\(all) where (c.thought_id = \(subject) or c.event_id = \(subject))" }
        return "\(all) where c.author_id = \(author) and (c.thought_id = \(subject) or c.event_id = \(subject))"
    }

    func decode(_ row: Row) throws -> Output {
        guard let kind = TypeID.Kind(rawValue: row.string(0)) else { throw PostgresError.unavailable }
        return Output(id: TypeID(kind, row.uuid(1)), authorID: row.uuid(optional: 2), subjectID: row.uuid(optional: 3))
    }
}

/// The comments on a thought, seen or not.
private struct CommentsBehind: Statement {
    let subject: UUID
    let limit: Int64

    var sql: SQL { "select id, author_id from comments_behind(\(subject), \(limit)) as c (id, author_id) order by id" }

    func decode(_ row: Row) -> ObjectOfScope.Output {
        ObjectOfScope.Output(id: TypeID(.comment, row.uuid(0)), authorID: row.uuid(1), subjectID: subject)
    }
}
