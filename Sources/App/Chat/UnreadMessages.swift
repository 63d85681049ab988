import GraphQL
import Postgres

/// The number of visible messages by others after the viewer's read mark. An index scan counts them, because a stored
/// counter could drift.
private let count: SQL = """
    (select count(*) from messages m where m.conversation_id = p.conversation_id and m.number > p.last_read_number \
    and m.author_id is distinct from viewer_id() and \(unsafe: Message.isVisible))
    """

/// The unread counts of several conversations. A conversation is left out if the read mark has reached the newest
/// message by others, and has the count 0 if every message beyond the mark was deleted or is hidden.
struct UnreadCounts: Statement {
    let ids: [UUID]

    var sql: SQL {
        """
        select p.conversation_id, \(count)::integer from conversation_members p \
        where p.conversation_id = any(\(ids)) and \(unsafe: Conversation.isViewers) \
        and p.newest_from_others > p.last_read_number
        """
    }

    func decode(_ row: Row) -> (conversation: UUID, count: Int32) { (row.uuid(0), row.int32(1)) }
}

/// The sum of the unread counts of all the viewer's conversations.
struct UnreadMessageCount: Statement {
    var sql: SQL {
        """
        select coalesce(sum(\(count)), 0)::integer from conversation_members p \
        where \(unsafe: Conversation.isViewers) and p.newest_from_others > p.last_read_number
        """
    }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}

extension RequestContext {
    func unreadCounts(of conversations: [UUID]) -> Pending<[Int32]> {
        start(UnreadCounts(ids: conversations)).pending.map { rows in
            let counts = Dictionary(rows.map { ($0.conversation, $0.count) }, uniquingKeysWith: { first, _ in first })
            return conversations.map { counts[$0] ?? 0 }
        }
    }
}
