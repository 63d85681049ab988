import GraphQL
import Postgres

extension Conversation: NodeObject {
    static let typeName = "Conversation"
    static let kind = TypeID.Kind.conversation

    static func byID(_ ids: [UUID]) -> ConversationsByID { ConversationsByID(ids: ids) }

    static func access(to id: UUID) -> SQL {
        """
        select p.conversation_id, null::uuid, false, false, true from conversation_members p \
        where p.conversation_id = \(id) and \(unsafe: isViewers)
        """
    }

    static var visibility: NamedVisibility { .conversation }
}
