import GraphQL
import Postgres

extension Message: NodeObject {
    static let typeName = "Message"
    static let kind = TypeID.Kind.message
    static var ringsDevices: Bool { true }

    static func byID(_ ids: [UUID]) -> MessagesByID { MessagesByID(ids: ids) }

    static func access(to id: UUID) -> SQL {
        """
        select m.id, m.author_id, false, false, true from messages m \
        join conversation_members p on p.conversation_id = m.conversation_id and \(unsafe: Conversation.isViewers) \
        where m.id = \(id) and \(unsafe: isVisible)
        """
    }

    static var visibility: NamedVisibility { .conversationOfSubject }

    /// Leaves out messages from a time when the viewer was no participant.
    static func states(of ids: [UUID], for viewer: UUID?) -> SQL? {
        """
        select m.id, m.author_id, null::text, null::text, m.conversation_id from messages m \
        join conversation_members p on p.conversation_id = m.conversation_id \
        where m.id = any(\(ids)) and p.user_id = \(viewer) and not m.number <@ p.absences
        """
    }
}
