import ChangeFeed
import GraphQL
import Postgres

extension ObjectKind {
    /// The kind of a conversation. A row of the log with an owner tells of that participant, who joined, left or read;
    /// its category is the id of the other participant of a conversation of two. A row without an owner tells that a
    /// message was added or deleted.
    static let conversation = ObjectKind(rawValue: "conversation")
}

/// The changes of the viewer's conversations, as their list shows them.
struct ConversationChanges: LiveScope {
    var topics: [ChangeTopic] { [] }

    func fold(for viewer: UUID?) -> ConversationVisibility {
        ConversationVisibility(unknownOf: viewer, followsAll: true)
    }
    func needsLoad(for viewer: UUID?) -> Bool { viewer != nil }

    static func load(_ scopes: [ConversationChanges], _ loader: FoldLoader<RequestContext>) async throws
        -> [ConversationVisibility]
    {
        let visibility = ConversationVisibility(
            try await loader.load(Memberships.self), try await loader.load(Blocks.self), followsAll: true)
        return scopes.map { _ in visibility }
    }

    /// The status in the viewer's own row decides between added, changed and removed. Every other row about one of the
    /// viewer's conversations is a change of that conversation.
    func match(_ change: Change, for viewer: UUID?, _ fold: ConversationVisibility, _ effect: FoldEffect?)
        -> ChangeMatch?
    {
        if change.object.kind == .block { return .person(effect) }
        guard change.object.kind == .conversation else { return nil }
        if let viewer, change.after?.owner == viewer {
            let (before, after) = (change.before?.status, change.after?.status)
            return ChangeKind(before == MembershipStatus.joined, after == MembershipStatus.joined)
                .map(ChangeMatch.object)
        }
        return fold.takesPart(in: change.object.uuid) ? .object(.changed) : nil
    }

    /// Always false, because a conversation's state does not tell its participants. The fold tells them.
    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: ConversationVisibility) -> Bool {
        false
    }

    func objects(
        of change: BulkVisibilityChange, limit: Int, _ context: RequestContext
    ) async throws -> [ScopeObject] {
        guard case .person(let person) = change.cause else { return [] }
        let conversations: SQL = """
            select 'conversation', p.conversation_id, null::uuid, p.conversation_id from conversation_members p \
            where p.user_id = viewer_id() and p.pair_with = \(person) and p.left_at is null
            """
        return try await context.start(ScopeObjects(conversations, limit: limit)).value
    }
}

extension ConversationChanges {
    static var events: Binding { ChangeEvent<Conversation>.binding("ConversationChange") }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>) {
        subscription.changes("conversationChanges", of: Conversation.self) { context in
            _ = try context.context.requireViewer()
            return ConversationChanges()
        }
    }

    static func requested(by input: InputObject) throws -> ScopeInput.Scope? {
        guard try input.mailbox == .conversations else { return nil }
        return { context in
            _ = try context.requireViewer()
            return ConversationChanges()
        }
    }
}
