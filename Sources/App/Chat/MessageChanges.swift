import ChangeFeed
import GraphQL
import Postgres

extension ObjectKind {
    static let message = ObjectKind(rawValue: "message")
}

/// The changes of the messages in the viewer's conversations.
struct MessageChanges: LiveScope {
    /// The id of the conversation; nil for all conversations of the viewer.
    let conversation: UUID?

    var topics: [ChangeTopic] { conversation.map { [.subject($0)] } ?? [] }

    func fold(for viewer: UUID?) -> ConversationVisibility {
        ConversationVisibility(unknownOf: viewer, followsAll: conversation == nil)
    }
    func needsLoad(for viewer: UUID?) -> Bool { viewer != nil }

    static func load(_ scopes: [MessageChanges], _ loader: FoldLoader<RequestContext>) async throws
        -> [ConversationVisibility]
    {
        let (memberships, blocks) = (try await loader.load(Memberships.self), try await loader.load(Blocks.self))
        return scopes.map { ConversationVisibility(memberships, blocks, followsAll: $0.conversation == nil) }
    }

    func match(_ change: Change, for viewer: UUID?, _ fold: ConversationVisibility, _ effect: FoldEffect?)
        -> ChangeMatch?
    {
        if change.object.kind == .block { return .person(effect) }
        return match(kind(of: change, for: viewer, fold), of: change, fold)
    }

    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: ConversationVisibility) -> Bool {
        object.kind == .message && (conversation == nil || conversation == state.subject)
            && fold.takesPart(in: state.subject)
    }

    func people(of change: Change, _ fold: ConversationVisibility) -> [UUID] {
        [change.state?.owner].compactMap { $0 }
    }

    func objects(
        of change: BulkVisibilityChange, limit: Int, _ context: RequestContext
    ) async throws -> [ScopeObject] {
        guard case .person(let person) = change.cause else { return [] }
        let messages: SQL = """
            select 'message', m.id, m.author_id, m.conversation_id from conversation_members p \
            join messages m on m.conversation_id = p.conversation_id \
            where p.user_id = viewer_id() and p.left_at is null and not m.number <@ p.absences \
            and p.conversation_id = coalesce(\(conversation), p.conversation_id) \
            and (p.pair_with = \(person) or m.author_id = \(person))
            """
        return try await context.start(ScopeObjects(messages, limit: limit)).value
    }

    /// The rows of the person's messages, and of all messages in the viewer's conversation with that person alone.
    func rows(of change: BulkVisibilityChange, for viewer: UUID?) -> SQL? {
        guard case .person(let person) = change.cause else { return nil }
        return """
            (s.owner = \(person) or c.type = 'message' and s.subject in (\
            select p.conversation_id from conversation_members p where p.user_id = \(viewer) and p.pair_with = \(person)))
            """
    }
}

extension MessageChanges {
    static var events: Binding {
        ChangeEvent<Message>.binding("MessageChange") { change in
            change.load("conversation") { changes, context in
                context.context.conversations(changes.map(\.state?.subject))
            }
        }
    }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>) {
        subscription.changes("messageChanges", of: Message.self) { context in
            _ = try context.context.requireViewer()
            guard let id = try context.arguments.decode(TypeID?.self, "conversationId") else {
                return MessageChanges(conversation: nil)
            }
            return MessageChanges(conversation: try await context.context.ownConversation(id))
        }
    }

    static func requested(by input: InputObject) throws -> ScopeInput.Scope? {
        if let id: TypeID = try input.decode("messagesOf") {
            return { MessageChanges(conversation: try await $0.ownConversation(id)) }
        }
        guard try input.mailbox == .messages else { return nil }
        return { context in
            _ = try context.requireViewer()
            return MessageChanges(conversation: nil)
        }
    }
}

extension RequestContext {
    /// - Throws: NOT_FOUND if the viewer is no participant, UNAUTHENTICATED if there is no viewer.
    fileprivate func ownConversation(_ id: TypeID) async throws -> UUID {
        _ = try requireViewer()
        guard id.kind == .conversation, try await conversations([id.uuid]).value()[0] != nil else {
            throw ExecutionError.notFound
        }
        return id.uuid
    }
}
