import GraphQL
import Postgres

/// A conversation as a participant sees it: columns of its row and of the participant's.
struct Conversation: ObjectValue, ListItem {
    /// The aliases `c` and `p` are the conversations table and the viewer's row of conversation_members.
    static let columns: StaticString = "c.id, c.created_at, p.last_message_at"
    static let columnTypes: [ColumnType] = [.uuid, .timestamptz, .timestamptz]
    /// The condition that the viewer is a participant of a conversation, for the checks of statements. The policies
    /// have the same condition. The alias `p` is the viewer's row of conversation_members. A conversation of two people
    /// is hidden from both if one of them has blocked the other.
    static let isViewers: StaticString = """
        p.user_id = viewer_id() and p.left_at is null \
        and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
        """
    /// The maximum number of participants of a conversation, the viewer included.
    static let maximumPeople = 32

    let row: Row

    init(row: Row) {
        row.expect(Self.columnTypes)
        self.row = row
    }

    var id: UUID { row.uuid(0) }
    var createdAt: Timestamp { row.timestamp(1) }
    var lastMessageAt: Timestamp { row.timestamp(2) }

    var sortID: UUID { id }
    func sortKey(in order: Cursor.Order) -> Int64 { lastMessageAt.microseconds }
}

struct ConversationsByID: Statement {
    let ids: [UUID]

    var sql: SQL {
        """
        select \(unsafe: Conversation.columns) from conversation_members p \
        join conversations c on c.id = p.conversation_id \
        where p.conversation_id = any(\(ids)) and \(unsafe: Conversation.isViewers)
        """
    }

    func decode(_ row: Row) -> Conversation { Conversation(row: row) }
}

/// The viewer's conversations, the one with the newest message first.
struct ViewerConversations: Statement {
    let page: Page

    var sql: SQL {
        let list = KeysetList(page, by: .init("p.last_message_at", "p.conversation_id"))
        return list.page(
            "\(unsafe: Conversation.columns)",
            from: "select * from conversation_members p where \(unsafe: Conversation.isViewers) and \(list.bounds)",
            as: "p", joining: " join conversations c on c.id = p.conversation_id")
    }

    func decode(_ row: Row) -> Conversation { Conversation(row: row) }
}

extension RequestContext {
    /// The conversations of `ids`, in the same order; nil for one that no longer exists or in which the viewer takes no
    /// part.
    func conversations(_ ids: [UUID?]) -> Pending<[Conversation?]> {
        let present = Set(ids.compactMap { $0 })
        if present.isEmpty { return Pending(ids.map { _ in nil }) }
        return start(ConversationsByID(ids: Array(present))).pending.map { rows in
            let conversations = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            return ids.map { $0.flatMap { conversations[$0] } }
        }
    }
}
