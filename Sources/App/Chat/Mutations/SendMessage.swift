import GraphQL
import Postgres

struct SendMessage: MessageMutation {
    static let name = "sendMessage"
    static let isAuthorship = true
    static let sharesCommit = true

    let id: UUID
    private let conversation: UUID
    private let text: String
    private let imageID: UUID?
    private let onConflict: OnConflict
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.newID(.message, given: input.decode("id"))
        conversation = try input.id(.conversation, "conversationId")
        imageID = try input.reference(.image, "imageId")
        onConflict = try input.decode("onConflict")
        var texts = InputText()
        text = texts.message(try input.decode("text"), hasImage: imageID != nil)
        userErrors = texts.errors
    }

    static func rate(_ environment: Environment) -> AccountRate? { environment.messageRate }

    var write: SQL {
        """
        insert into messages (id, conversation_id, author_id, text, image_id) \
        select \(id), \(conversation), viewer_id(), \(text), \(imageID) \
        where case when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') \
        when not exists (select from conversation_members p where p.conversation_id = \(conversation) \
        and \(unsafe: Conversation.isViewers)) then refuse('NOT_FOUND') \
        when \(imageID)::uuid is not null \
        and not exists (select from images i where i.id = \(imageID) and i.owner_id = viewer_id()) \
        then refuse('NOT_FOUND') else true end
        """
    }

    var result: SQL? { sentByViewer }

    static let identity: String? = "messages_pkey"

    var existing: SQL? { sentByViewer }

    /// Only the text changes: the message keeps its conversation and its image.
    var overwrite: SQL? {
        guard onConflict == .overwrite else { return nil }
        return """
            update messages m set text = \(text), edited_at = date_trunc('milliseconds', now()) \
            from conversation_members p where m.id = \(id) and m.author_id = viewer_id() \
            and p.conversation_id = m.conversation_id and \(unsafe: Conversation.isViewers) \
            and \(unsafe: Message.isVisible) and refuse_user_errors(array[ \
            case when m.conversation_id <> \(conversation) then 'CONFLICT conversationId' end, \
            case when m.image_id is distinct from \(imageID) then 'CONFLICT imageId' end])
            """
    }

    private var sentByViewer: SQL {
        """
        select \(unsafe: Message.columns) from (select) as one \
        left join messages m on m.id = \(id) and m.author_id = viewer_id() \
        where m.id is not null or refuse('USER_ERRORS', 'TAKEN id')
        """
    }
}

/// A mutation that returns the message that it wrote.
protocol MessageMutation: Mutation where Object == Message {}

extension MessageMutation {
    static func replay(_ outcome: MutationOutcome) -> SQL? { MessagesByID(ids: [outcome.id]).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Message? { row.map { Message(row: $0) } }
}

extension InputText {
    /// A message with an image may have an empty text.
    mutating func message(_ text: String, hasImage: Bool) -> String {
        if hasImage && text.trimmed.isEmpty { return "" }
        return required(text, "text", "The message", 1...Message.maximumLength)
    }
}
