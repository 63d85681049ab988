import ChangeFeed
import GraphQL
import Postgres

extension ObjectKind {
    static let comment = ObjectKind(rawValue: "comment")
}

/// The changes of the comments on a thought or an event.
struct CommentChanges: LiveScope {
    let subject: ObjectID
    /// The account that owned the thought or event when the changes were asked for. The id of a deleted thought may be
    /// given to another account's thought. `CommentVisibility` knows the owner at each position of the log.
    let owner: UUID

    var topics: [ChangeTopic] { [.subject(subject.uuid), .status(subject)] }

    func fold(for viewer: UUID?) -> CommentVisibility {
        CommentVisibility(viewer, self, nil, Blocks(unknownOf: viewer))
    }
    func needsLoad(for viewer: UUID?) -> Bool { true }

    static func load(
        _ scopes: [CommentChanges], _ loader: FoldLoader<RequestContext>
    ) async throws -> [CommentVisibility] {
        let viewer = loader.context.viewerID
        let blocks = try await loader.load(Blocks.self)
        let states = try await ObjectStates.load(Set(scopes.map(\.subject.uuid)), for: nil, loader)
        return scopes.map { CommentVisibility(viewer, $0, states[$0.subject], blocks) }
    }

    func match(_ change: Change, for viewer: UUID?, _ fold: CommentVisibility, _ effect: FoldEffect?) -> ChangeMatch? {
        if change.object.kind == .block {
            // Comments that are hidden for another reason stay hidden when a block begins or ends.
            guard let person = effect?.person, fold.seesSubject || fold.owner == person, !fold.isSubjectWithheld else {
                return nil
            }
            return .person(effect)
        }
        if change.object == subject {
            guard let isPublished = change.isPublished, fold.owner != viewer, !fold.hides(fold.owner) else {
                return nil
            }
            return .bulk(.subject(subject.uuid), isHidden: !isPublished, [])
        }
        guard fold.seesSubject else { return nil }
        return match(kind(of: change, for: viewer, fold), of: change, fold)
    }

    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: CommentVisibility) -> Bool {
        object.kind == .comment && state.isOn(subject)
    }

    func includes(_ node: Node) -> Bool { Comment(node: node)?.subject.object == subject }

    func people(of change: Change, _ fold: CommentVisibility) -> [UUID] {
        [fold.owner] + [change.state?.owner].compactMap { $0 }
    }

    /// Changes are personal to the subject's owner, because the subject may be a draft. They stay personal to `owner`, which
    /// may own the subject again after another account. The fold does not learn that from the row of an imported comment.
    func isPersonal(_ change: Change, to viewer: UUID?, _ fold: CommentVisibility) -> Bool {
        viewer != nil && (fold.owner == viewer || owner == viewer)
    }

    func objects(
        of change: BulkVisibilityChange, limit: Int, _ context: RequestContext
    ) async throws -> [ScopeObject] {
        let author: UUID?
        switch change.cause {
        case .subject: author = nil
        case .person(let person): author = change.objects.isEmpty ? person : nil
        case .names: return []
        }
        // Neither the viewer nor an anonymous account sees all of them: the subject may be the viewer's own draft, on
        // which a blocked account has commented.
        let statement = CommentsOnSubject(subject: subject, author: author, limit: Int64(limit))
        return try await context.environment.pools.worker.run(statement)
    }

    func rows(of change: BulkVisibilityChange, for viewer: UUID?) -> SQL? {
        switch change.cause {
        case .person(let person) where change.objects.isEmpty: "s.owner = \(person)"
        case .person, .subject: "s.subject = \(subject.uuid)"
        case .names: nil
        }
    }
}

/// The fold that tells whether a viewer sees the comments on a thought or an event.
struct CommentVisibility: ChangeFold {
    private let viewer: UUID?
    private let id: ObjectID
    /// The thought or event; nil if it was not loaded. If it is nil, the policies decide when a comment is read.
    private var subject: CommentSubject?
    /// The account that owns the thought or event.
    private(set) var owner: UUID
    /// The number of the newest row that tells the subject's state. The rows of one object are numbered in the order in
    /// which they were written. Rows from before migration 20 may stand in another order in the log.
    private var row = Int64.min
    private var blocks: Blocks

    fileprivate init(_ viewer: UUID?, _ scope: CommentChanges, _ state: ChangeState?, _ blocks: Blocks) {
        self.viewer = viewer
        id = scope.subject
        subject = state.map(CommentSubject.init)
        owner = state?.owner ?? scope.owner
        self.blocks = blocks
    }

    var topics: [ChangeTopic] { blocks.topics }

    /// The effect of a block names the subject if the person is the subject's owner, with whom all comments are hidden.
    mutating func apply(_ change: Change) -> FoldEffect? {
        if let state = subjectState(in: change), change.position.row > row {
            row = change.position.row
            subject = CommentSubject(state)
            owner = state.owner ?? owner
        }
        var effect = blocks.apply(change)
        if effect?.person == owner { effect?.objects = [HiddenOrShownObject(id, nil)] }
        return effect
    }

    /// The subject's state in its own row, or in the row of a comment that was added; nil in every other row. The
    /// subscription does not get the row of a new subject with the id of a deleted one, so the first comment tells the new
    /// subject's state. A counter change tells none, because a counter change that was held back may be older than the
    /// fold.
    private func subjectState(in change: Change) -> ChangeState? {
        if change.isCountersOnly { return nil }
        if change.object == id { return change.after }
        // A thought and an event may have the same UUID.
        return change.subjectOfAdded == id ? change.subject : nil
    }

    var seesSubject: Bool { subject.map { $0.isSeen(by: viewer, blocks) } ?? true }

    /// Whether the subject is another account's draft, so that its comments are hidden without any block.
    var isSubjectWithheld: Bool { subject?.isWithheld(from: viewer) ?? false }

    var hidesNobody: Bool { blocks.hidesNobody }
    func hides(_ person: UUID) -> Bool { blocks.hides(person) }
    func willHide(_ person: UUID) -> Bool { blocks.willHide(person) }
    func wasCommitted(_ change: Change) -> Bool? { blocks.wasCommitted(change) }
}

/// The comments on a thought or an event, also those that the viewer does not see.
private struct CommentsOnSubject: Statement {
    let subject: ObjectID
    /// nil for the comments of all accounts.
    let author: UUID?
    let limit: Int64

    var sql: SQL {
        let isOnSubject: SQL =
            subject.kind == .event ? "c.event_id = \(subject.uuid)" : "c.thought_id = \(subject.uuid)"
        return """
            select o.id, o.author_id from (select c.id, c.author_id from comments c \
            where \(isOnSubject) and (\(author) is null or c.author_id = \(author)) limit \(limit)) o order by o.id
            """
    }

    func decode(_ row: Row) -> ScopeObject {
        let state = ChangeState(owner: row.uuid(1), category: subject.kind.rawValue, subject: subject.uuid)
        return ScopeObject(ObjectID(.comment, row.uuid(0)), state)
    }
}

extension CommentChanges {
    static var events: Binding {
        ChangeEvent<Comment>.binding("CommentChange") { change in
            change.load("subject") { changes, context in
                let ids = changes.flatMap { change in
                    [TypeID.Kind.thought, .event].map { kind -> TypeID? in
                        guard let state = change.state, let id = state.subject else { return nil }
                        let subject = TypeID(kind, id)
                        return state.isOn(subject.object) ? subject : nil
                    }
                }
                return context.context.subjects(ids).map { found in
                    changes.indices.map { found[2 * $0] ?? found[2 * $0 + 1] }
                }
            }
        }
    }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>) {
        subscription.changes("commentChanges", of: Comment.self) { context in
            try await context.context.comments(of: context.arguments.decode("subjectId"))
        }
    }

    static func requested(by input: InputObject) throws -> ScopeInput.Scope? {
        guard let subject: TypeID = try input.decode("commentsOf") else { return nil }
        return { try await $0.comments(of: subject) }
    }
}

extension RequestContext {
    /// - Throws: NOT_FOUND if the viewer does not see the subject.
    fileprivate func comments(of subject: TypeID) async throws -> CommentChanges {
        switch try await subjects([subject]).value()[0] {
        case .thought(let thought): CommentChanges(subject: subject.object, owner: thought.authorID)
        case .event(let event): CommentChanges(subject: subject.object, owner: event.authorID)
        case nil: throw ExecutionError.notFound
        }
    }
}
