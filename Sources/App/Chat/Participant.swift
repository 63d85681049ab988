import GraphQL
import Postgres

struct Participant: ObjectValue {
    static let columnTypes: [ColumnType] = [.timestamptz, .timestamptz, .uuid, .int8] + User.columnTypes

    let row: Row

    init(row: Row) {
        row.expect(Self.columnTypes)
        self.row = row
    }

    /// nil if the account was deleted.
    var user: User? { row.isNull(4) ? nil : User(row: row, offset: 4) }
    var joinedAt: Timestamp { row.timestamp(0) }
    var leftAt: Timestamp? { row.timestamp(optional: 1) }
    var lastReadMessageID: TypeID? { row.uuid(optional: 2).map { TypeID(.message, $0) } }
    var place: Int64 { row.int64(3) }

    static let binding: Binding = ObjectBinding<Participant, RequestContext>("Participant") { participant in
        participant.field("user", \.user)
        participant.field("joinedAt", \.joinedAt)
        participant.field("leftAt", \.leftAt)
        participant.field("lastReadMessageId", \.lastReadMessageID)
    }
}

/// The participants of several of the viewer's conversations, without people hidden from the viewer.
struct ParticipantsOfConversations: Statement {
    let ids: [UUID]

    var sql: SQL {
        """
        select o.joined_at, o.left_at, o.last_read_message_id, parent.n, \(unsafe: User.columns) \
        from unnest(\(ids)) with ordinality as parent (id, n) \
        join conversation_members p on p.conversation_id = parent.id and \(unsafe: Conversation.isViewers) \
        join conversation_members o on o.conversation_id = parent.id \
        and (o.user_id = any((select people_hidden_from_viewer())::uuid[])) is not true \
        left join users u on u.id = o.user_id order by parent.n, o.place
        """
    }

    func decode(_ row: Row) -> Participant { Participant(row: row) }
}

extension RequestContext {
    func participants(of conversations: [UUID]) -> Pending<[[Participant]]> {
        start(ParticipantsOfConversations(ids: conversations)).pending.map { rows in
            var participants = conversations.map { _ in [Participant]() }
            for row in rows { participants[Int(row.place) - 1].append(row) }
            return participants
        }
    }
}
