import ChangeFeed
import GraphQL
import Postgres

extension ObjectKind {
    /// The kind of a conversation. A row of the log whose state after the change has an owner tells that the owner
    /// joined, left or read the conversation. Every other row tells that a message was added or deleted, or that a
    /// participant's account was deleted.
    static let conversation = ObjectKind(rawValue: "conversation")
}

/// The changes of the conversations in the viewer's list. A conversation of two people is not in the list while one of
/// them blocks the other.
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

    /// In a row of the log whose owner is the viewer, the statuses before and after the change decide between added,
    /// changed and removed. Every other row about one of the viewer's conversations is a change of that conversation.
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

    /// Always false. Nothing uses the result: `match` decides by the row and the fold, and `rows(of:for:)` is nil.
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
    static var events: Binding { ChangeEvent<Conversation>.personalBinding("ConversationChange", in: .created) }

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
