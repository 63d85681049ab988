import GraphQL
import Postgres

enum ChatBindings {
    static func mutation(_ mutation: inout ObjectFields<Root, RequestContext>) {
        mutation.mutation(StartConversation.self)
        mutation.mutation(SendMessage.self)
        mutation.mutation(UpdateMessage.self)
        mutation.mutation(DeleteMessage.self)
        mutation.mutation(MarkConversationRead.self)
        mutation.mutation(LeaveConversation.self)
    }

    /// All parents are the viewer's account, because no other account can be read as a `Viewer`.
    static func viewer(_ viewer: inout ObjectFields<ViewerAccount, RequestContext>) {
        viewer.load("conversations") { viewers, context in
            let page = try Page(context.arguments, order: .newest)
            return context.context.start(ViewerConversations(page: page)).pending
                .map { rows in viewers.map { _ in page.list(rows) } }
        }
        viewer.load("unreadMessageCount") { viewers, context in
            context.context.start(UnreadMessageCount()).pending.map { rows in viewers.map { _ in rows.first ?? 0 } }
        }
    }

    static let types: [Binding] =
        [conversation, Participant.binding, message, conversationPayload, messagePayload, deletePayload, leavePayload]
        + ConnectionBindings.of(Conversation.self, "Conversation")
        + ConnectionBindings.of(Message.self, "Message")

    private static let conversation: Binding = ObjectBinding<Conversation, RequestContext>("Conversation") {
        $0.field("id") { TypeID(.conversation, $0.id) }
        $0.load("participants") { conversations, context in
            context.context.participants(of: conversations.map(\.id))
        }
        $0.load("messages") { conversations, context in
            let page = try Page(context.arguments, order: .created)
            let statement = MessagesOfConversations(ids: conversations.map(\.id), page: page)
            return context.context.start(statement).pending
                .map { page.lists($0, parents: conversations.count) }
        }
        $0.load("lastMessage") { conversations, context in
            let ids = conversations.map(\.id)
            return context.context.start(LastMessages(ids: ids)).pending.map { rows -> [Message?] in
                let newest = Dictionary(rows.map { ($0.conversationID, $0) }, uniquingKeysWith: { first, _ in first })
                return ids.map { newest[$0] }
            }
        }
        $0.load("unreadCount") { conversations, context in
            context.context.unreadCounts(of: conversations.map(\.id))
        }
        $0.field("createdAt", \.createdAt)
    }

    private static let message: Binding = ObjectBinding<Message, RequestContext>("Message") { message in
        message.field("id") { TypeID(.message, $0.id) }
        message.load("conversation") { messages, context in
            context.context.conversations(messages.map(\.conversationID)).map { conversations in
                try conversations.map {
                    guard let conversation = $0 else { throw ExecutionError.notFound }
                    return conversation
                }
            }
        }
        message.load("author") { messages, context in context.everybody.users(messages.map(\.authorID)) }
        message.field("text", \.text)
        message.load("image") { messages, context in
            context.everybody.images(messages.map { ($0.imageID, false) })
        }
        message.field("createdAt", \.createdAt)
        message.field("editedAt", \.editedAt)
    }

    private static let conversationPayload: Binding = ObjectBinding<Payload<Conversation>, RequestContext>(
        "ConversationPayload"
    ) {
        $0.field("conversation", \.object)
        $0.field("wasCreated", \.wasCreated)
        $0.viewerField()
        $0.payloadFields()
    }

    private static let messagePayload: Binding = ObjectBinding<Payload<Message>, RequestContext>("MessagePayload") {
        $0.field("message", \.object)
        $0.field("wasCreated", \.wasCreated)
        $0.payloadFields()
    }

    private static let deletePayload: Binding = ObjectBinding<Payload<Deleted>, RequestContext>(
        "DeleteMessagePayload"
    ) {
        $0.field("deletedId") { $0.object?.id }
        $0.load("conversation") { payloads, context in
            context.context.conversations(payloads.map { $0.object?.subject?.uuid })
        }
        $0.viewerField()
        $0.payloadFields()
    }

    private static let leavePayload: Binding = ObjectBinding<Payload<Deleted>, RequestContext>(
        "LeaveConversationPayload"
    ) {
        $0.field("conversationId") { $0.object?.id }
        $0.viewerField()
        $0.payloadFields()
    }
}

extension ObjectFields where Context == RequestContext {
    /// Binds the payload's field `viewer`. The account is read after the mutation, so that its counts are current. The
    /// field is null if the payload has no object, as when it has user errors.
    mutating func viewerField<Object>() where Parent == Payload<Object> {
        load("viewer") { payloads, context -> Pending<[ViewerAccount?]> in
            context.context.start(CurrentViewer()).pending
                .map { rows in payloads.map { $0.object == nil ? nil : rows.first } }
        }
    }
}
