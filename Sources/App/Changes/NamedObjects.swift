import Postgres

/// The objects that a subscription names by their ids, and what they stand on, at one place of the log. It tells which of
/// them the viewer sees there, as a query would.
struct NamedObjects: Sendable {
    let names: Set<TypeID>
    /// Of the objects that exist. A message that was said while the viewer was away is none.
    private var states: [TypeID: ChangeState] = [:]
    /// The thoughts and events of comments.
    private var subjects: [UUID: ChangeSubject] = [:]
    /// With whom the viewer is alone in a conversation.
    private var pairs: [UUID: UUID] = [:]
    /// The newest row about each object: the rows of one are numbered in the order in which they were written.
    private var rows: [TypeID: Int64] = [:]

    /// Before anything is known of them.
    init(_ scope: ChangeScope) { names = scope.names }

    fileprivate init(
        _ scope: ChangeScope, _ states: [TypeID: ChangeState], _ subjects: [UUID: ChangeSubject], _ pairs: [UUID: UUID]
    ) {
        names = scope.names
        self.states = states.filter { names.contains($0.key) }
        let wanted = Set(self.states.values.compactMap(\.subjectID) + [scope.commentSubject].compactMap { $0 })
        self.subjects = subjects.filter { wanted.contains($0.key) }
        self.pairs = pairs
    }

    /// Whether the log tells who sees an object of this kind.
    static func follow(_ kind: TypeID.Kind) -> Bool {
        switch kind {
        case .thought, .event, .user, .comment, .message, .conversation: true
        default: false
        }
    }

    /// The thoughts and events that comments are on.
    var commentSubjects: some Collection<UUID> { subjects.keys }

    var hasNotifications: Bool { names.contains { $0.kind == .notification } }

    func sees(_ object: TypeID, _ sight: ChangeSight) -> Bool {
        if object.kind == .conversation { return sight.takesPart(in: object.uuid, with: pairs[object.uuid]) }
        guard let state = states[object] else { return false }
        switch object.kind {
        case .message:
            guard let conversation = state.subjectID else { return false }
            return sight.takesPart(in: conversation, with: pairs[conversation])
                && !sight.hides(state.authorID, inMail: true)
        case .comment:
            return !sight.hides(state.authorID) && (state.subjectID.map { seesSubject($0, sight) } ?? true)
        default: return sight.sees(ChangeSubject(state))
        }
    }

    /// Whether a comment can be seen on it. What is not known of it is decided when the comment is read.
    func seesSubject(_ subject: UUID, _ sight: ChangeSight) -> Bool { subjects[subject].map(sight.sees) ?? true }

    /// Whose the thought or event of a comment is.
    func owner(of comment: TypeID) -> UUID? { states[comment]?.subjectID.flatMap { subjects[$0]?.ownerID } }

    func state(of object: TypeID) -> ChangeState? { states[object] }

    /// The objects of which a row of the log may tell who sees them.
    func concerned(by change: Change, for viewer: UUID?) -> [TypeID] {
        let itself = [change.object].filter(names.contains)
        let isTurn = change.isPublished != nil || change.membership.map { $0.account == viewer } ?? false
        guard isTurn else { return itself }
        let standing = states.filter { $0.key.kind.standsOnSubject && $0.value.subjectID == change.object.uuid }
        return itself + standing.keys.sorted { $0.uuid < $1.uuid }
    }

    mutating func apply(_ change: Change, _ sight: ChangeSight) {
        let object = change.object
        let isNamed = names.contains(object) && object.kind != .conversation
        guard isNamed || subjects[object.uuid] != nil, change.position.row > rows[object] ?? .min else { return }
        rows[object] = change.position.row
        if object.kind == .thought, let state = change.after {
            subjects[object.uuid]?.isDraft = state.status == .draft
        }
        guard isNamed else { return }
        if object.kind == .message, states[object] == nil {
            let isHeard = (change.after?.subjectID).map { sight.takesPart(in: $0, with: nil) } ?? false
            if change.before != nil || !isHeard { return }
        }
        states[object] = change.after
        if let subject = change.after?.subjectID, let state = change.subject, subjects[subject] == nil {
            subjects[subject] = state
        }
    }
}

/// Whom and which conversations an account sees something of, at one place of the log.
struct ChangeSight: Sendable {
    let viewer: UUID?
    var memberships: Memberships?
    var visibility: ChangeVisibility

    func hides(_ person: UUID?, inMail: Bool = false) -> Bool {
        person.map { visibility.hides($0, inMail: inMail) } ?? false
    }

    func sees(_ subject: ChangeSubject) -> Bool {
        let isOwn = viewer != nil && subject.ownerID == viewer
        return (isOwn || !subject.isDraft) && !hides(subject.ownerID)
    }

    /// - Parameter pair: nil where there are more people in it than two.
    func takesPart(in conversation: UUID, with pair: UUID?) -> Bool {
        memberships?.conversations.contains(conversation) == true && !hides(pair, inMail: true)
    }
}

extension TypeID.Kind {
    fileprivate var standsOnSubject: Bool { self == .comment || self == .message }
}

extension ChangeScope {
    /// The objects that it names by their ids.
    fileprivate var names: Set<TypeID> { if case .objects(let objects) = self { objects } else { [] } }

    /// Of what its objects are the comments.
    fileprivate var commentSubject: UUID? { if case .comments(let subject, _) = self { subject } else { nil } }

    /// Whether it depends on what `NamedObjects` knows.
    var needsNamedObjects: Bool { !names.isEmpty || commentSubject != nil }
}

extension Environment {
    /// What each of the scopes names, as it was at a position of the log.
    func namedObjects(
        of scopes: [ChangeScope], for viewer: UUID?, at position: ChangePosition
    ) async throws -> [NamedObjects] {
        let names = Set(scopes.flatMap { $0.names.map(\.uuid) })
        let states = try await states(of: names, for: viewer, at: position)
        let wanted = states.filter { $0.key.kind == .comment }.compactMap(\.value.subjectID)
        let found = try await self.states(
            of: Set(wanted + scopes.compactMap(\.commentSubject)), for: nil, at: position)
        let subjects = found.filter { $0.key.kind == .thought || $0.key.kind == .event }
            .map { ($0.key.uuid, ChangeSubject($0.value)) }
        let conversations = Set(
            scopes.flatMap { $0.names.filter { $0.kind == .conversation }.map(\.uuid) }
                + states.filter { $0.key.kind == .message }.compactMap(\.value.subjectID))
        var pairs: [UUID: UUID] = [:]
        if let viewer, !conversations.isEmpty {
            let rows = try await pools.worker.run(Pairs(viewer: viewer, conversations: Array(conversations)))
            pairs = Dictionary(rows, uniquingKeysWith: { first, _ in first })
        }
        return scopes.map {
            NamedObjects($0, states, Dictionary(subjects, uniquingKeysWith: { first, _ in first }), pairs)
        }
    }

    /// What objects are now is read first: any row of the log after the position tells what was before.
    private func states(
        of ids: Set<UUID>, for viewer: UUID?, at position: ChangePosition
    ) async throws -> [TypeID: ChangeState] {
        if ids.isEmpty { return [:] }
        let present = try await pools.worker.run(PresentObjects(ids: Array(ids), viewer: viewer))
        var states = Dictionary(present.compactMap { $0 }, uniquingKeysWith: { first, _ in first })
        let known = changes.changes(of: ids, after: position)
        let rest = try await pools.worker.run(FirstChanges(position: known?.end ?? position, ids: Array(ids)))
        // The oldest row about an object decides.
        let rows = (known?.changes ?? []) + rest.compactMap { $0 }
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

    func decode(_ row: Row) -> (TypeID, ChangeState)? {
        guard let kind = TypeID.Kind(rawValue: row.string(0)) else { return nil }
        let state = ChangeState(
            authorID: row.uuid(optional: 2), status: ChangeStatus(row.string(optional: 3)), category: nil,
            startsAt: nil,
            subjectID: row.uuid(optional: 4))
        return (TypeID(kind, row.uuid(1)), state)
    }
}

/// The first change of each object after a position.
private struct FirstChanges: Statement {
    let position: ChangePosition
    let ids: [UUID]

    var sql: SQL {
        """
        select distinct on (c.type, c.object_id) \(unsafe: ChangesAfter.columns) from change_log c \
        where (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row)) \
        and not c.counters_only and c.type <> 'block' and c.object_id = any(\(ids)) \
        order by c.type, c.object_id, c.id
        """
    }

    func decode(_ row: Row) -> Change? { Change(row: row, offset: 0) }
}

/// With whom an account is alone in a conversation.
private struct Pairs: Statement {
    let viewer: UUID
    let conversations: [UUID]

    var sql: SQL {
        """
        select p.conversation_id, p.pair_with from conversation_members p where p.user_id = \(viewer) \
        and p.pair_with is not null and p.conversation_id = any(\(conversations))
        """
    }

    func decode(_ row: Row) -> (UUID, UUID) { (row.uuid(0), row.uuid(1)) }
}
