import GraphQL
import Postgres

struct UpdateMessage: MessageMutation {
    static let name = "updateMessage"
    static let isAuthorship = true
    static let sharesCommit = true

    let id: UUID
    private let text: String
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.message)
        var texts = InputText()
        // The write checks that a message with an empty text has an image.
        text = texts.message(try input.decode("text"), hasImage: true)
        userErrors = texts.errors
    }

    var write: SQL {
        """
        update messages m set text = \(text), edited_at = date_trunc('milliseconds', now()) \
        from conversation_members p where m.id = \(id) and m.author_id = viewer_id() \
        and p.conversation_id = m.conversation_id and \(unsafe: Conversation.isViewers) \
        and \(unsafe: Message.isVisible)\(text.isEmpty ? Self.hasImage : "")
        """
    }

    private static let hasImage: SQL = """
         and case when m.author_id <> viewer_id() or m.image_id is not null then true \
        else refuse('USER_ERRORS', 'REQUIRED text') end
        """

    var result: SQL? {
        """
        select \(unsafe: Message.columns) from (select) as one left join (messages m \
        join conversation_members p on p.conversation_id = m.conversation_id) on m.id = \(id) \
        and \(unsafe: Conversation.isViewers) and \(unsafe: Message.isVisible) \
        where case when m.id is null then refuse('NOT_FOUND') \
        when m.author_id is distinct from viewer_id() then refuse('FORBIDDEN') else true end
        """
    }
}
