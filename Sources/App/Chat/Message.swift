import GraphQL
import Postgres

/// A message. Its properties decode columns of the row when they are read.
struct Message: ObjectValue, ListItem {
    /// The alias `m` is the messages table.
    static let columns: StaticString =
        "m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at"
    static let columnTypes: [ColumnType] = [.uuid, .uuid, .uuid, .text, .uuid, .int8, .timestamptz, .timestamptz]
    /// A condition to combine with `Conversation.isViewers`. It leaves out messages that were sent while the viewer was
    /// not in the conversation, and messages of authors hidden from the viewer.
    static let isVisible: StaticString = """
        not m.number <@ p.absences \
        and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
        """
    /// The maximum length of a message's text, in grapheme clusters.
    static let maximumLength = 4000

    let row: Row

    init(row: Row) {
        row.expect(Self.columnTypes)
        self.row = row
    }

    var id: UUID { row.uuid(0) }
    var conversationID: UUID { row.uuid(1) }
    var authorID: UUID? { row.uuid(optional: 2) }
    var text: Text { row.text(3) }
    var imageID: UUID? { row.uuid(optional: 4) }
    /// The message's number in its conversation, ascending.
    var number: Int64 { row.int64(5) }
    var createdAt: Timestamp { row.timestamp(6) }
    var editedAt: Timestamp? { row.timestamp(optional: 7) }

    var sortID: UUID { id }
    func sortKey(in order: Cursor.Order) -> Int64 { number }
}

struct MessagesByID: Statement {
    let ids: [UUID]

    var sql: SQL {
        """
        select \(unsafe: Message.columns) from messages m \
        join conversation_members p on p.conversation_id = m.conversation_id and \(unsafe: Conversation.isViewers) \
        where m.id = any(\(ids)) and \(unsafe: Message.isVisible)
        """
    }

    func decode(_ row: Row) -> Message { Message(row: row) }
}

/// The messages of several conversations, a page of each, newest first.
struct MessagesOfConversations: Statement {
    let ids: [UUID]
    let page: Page

    var sql: SQL {
        let list = KeysetList(page, by: .init("m.number"), type: .int64)
        return list.pages(
            "\(unsafe: Message.columns)", ofEach: ids,
            joiningParents: """
                 join conversation_members p on p.conversation_id = parent.id and \(unsafe: Conversation.isViewers)
                """,
            from: """
                select * from messages m where m.conversation_id = parent.id and \(list.bounds) \
                and \(unsafe: Message.isVisible)
                """, as: "m")
    }

    func decode(_ row: Row) -> (parent: Int, item: Message) {
        (Int(row.int64(Message.columnTypes.count)) - 1, Message(row: row))
    }
}

/// The newest message of each of several conversations.
struct LastMessages: Statement {
    let ids: [UUID]

    var sql: SQL {
        """
        select \(unsafe: Message.columns) from conversation_members p \
        cross join lateral (select * from messages m where m.conversation_id = p.conversation_id \
        and \(unsafe: Message.isVisible) order by m.number desc limit 1) m \
        where p.conversation_id = any(\(ids)) and \(unsafe: Conversation.isViewers)
        """
    }

    func decode(_ row: Row) -> Message { Message(row: row) }
}
