import GraphQL
import Postgres

/// The read mark only moves forward: an older message leaves it unchanged.
struct MarkConversationRead: Mutation {
    static let name = "markConversationRead"

    let id: UUID
    private let message: UUID

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.conversation, "conversationId")
        message = try input.id(.message, "messageId")
    }

    var write: SQL {
        """
        update conversation_members p set last_read_number = m.number, last_read_message_id = m.id from messages m \
        where m.id = \(message) and m.conversation_id = \(id) and p.conversation_id = \(id) \
        and \(unsafe: Conversation.isViewers) and \(unsafe: Message.isVisible) and p.last_read_number < m.number
        """
    }

    var result: SQL? {
        """
        select \(unsafe: Conversation.columns) from (select) as one left join (conversation_members p \
        join conversations c on c.id = p.conversation_id join messages m on m.conversation_id = c.id) \
        on c.id = \(id) and m.id = \(message) and \(unsafe: Conversation.isViewers) and \(unsafe: Message.isVisible) \
        where c.id is not null or refuse('NOT_FOUND')
        """
    }

    static func replay(_ outcome: MutationOutcome) -> SQL? { ConversationsByID(ids: [outcome.id]).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Conversation? { row.map { Conversation(row: $0) } }
}
