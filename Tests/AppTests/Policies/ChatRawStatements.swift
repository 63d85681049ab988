import Postgres

@testable import App

/// Reads and writes in conversations as a forgotten check would send them.
enum ChatRawStatements {
    private static let ana = worldUUID(0xA)
    private static let ben = worldUUID(0xB)
    private static let mod = worldUUID(0xC)
    /// Ana's with ben, whom she has blocked.
    private static let pair = worldUUID(0x601)
    /// Ana's with ben and the moderator; ben has left.
    private static let group = worldUUID(0x602)
    private static let new = worldUUID(0x9FF)

    static let outsider = RawStatements.Group(
        about: "a conversation of others", viewer: .mod,
        denied: [
            "insert into messages (id, conversation_id, author_id, text) values (\(new), \(pair), \(mod), 'x')",
            "insert into messages (id, conversation_id, author_id, text) values (\(new), \(group), \(ana), 'x')",
            """
            insert into messages (id, conversation_id, author_id, text, number) \
            values (\(new), \(group), \(mod), 'x', 1)
            """,
            "insert into conversations (id, people_key) values (\(new), \(new))",
            "insert into conversation_members (conversation_id, place, user_id) values (\(pair), 3, \(mod))",
            "update conversation_members set conversation_id = \(pair) where user_id = \(mod)",
            "update conversation_members set user_id = \(mod)",
            "update conversations set last_number = 0",
            "delete from conversations",
            "delete from conversation_members",
            "update messages set author_id = \(mod)",
            "update messages set conversation_id = \(group)",
            "select number_message()",
            """
            insert into notifications (id, user_id, kind, subject_type, subject_id, actor_id, actors, text) \
            values (\(new), \(ana), 'LIKE', 'thought', \(new), \(mod), array[\(mod)], 'x')
            """,
            "insert into push_devices (id, user_id, transport, address) values (\(new), \(ana), 'APNS', 'x')",
            "update push_devices set user_id = \(mod)",
            "select from push_queue",
            "delete from push_queue",
            "update notifications set text = 'x'",
            "update notifications set user_id = \(mod)",
            "delete from notifications",
            "select write_notifications(1)",
            "insert into outbox (kind, subject_type, subject_id, actor_id) values ('LIKE', 'thought', \(new), \(mod))",
        ],
        nothing: [
            "select from conversations where id <> \(group)",
            "select from conversation_members where conversation_id <> \(group)",
            "select from messages where conversation_id <> \(group)",
            "update messages set text = 'x'",
            "delete from messages",
            "update conversation_members set last_read_number = 9 where user_id <> \(mod)",
            "select where leave_conversation(\(pair))",
            "select from push_devices",
            "delete from push_devices",
            "select from notifications where user_id <> \(mod)",
            "update notifications set read_at = now() where user_id <> \(mod)",
        ])

    static let oneWhoLeft = RawStatements.Group(
        about: "a conversation that one has left, and one with somebody who has blocked", viewer: .ben,
        denied: [
            "insert into messages (id, conversation_id, author_id, text) values (\(new), \(group), \(ben), 'x')",
            "insert into messages (id, conversation_id, author_id, text) values (\(new), \(pair), \(ben), 'x')",
            "update conversation_members set left_at = null where user_id = \(ben)",
            "update conversation_members set absences = '{}' where user_id = \(ben)",
        ],
        nothing: [
            "select from conversations where id = \(group)",
            "select from messages where conversation_id = \(group)",
            "select from conversation_members where conversation_id = \(group) and user_id <> \(ben)",
            "update conversation_members set last_read_number = 9 where conversation_id = \(group)",
            "update messages set text = 'x' where author_id <> \(ben)",
            "delete from messages where author_id <> \(ben)",
        ])
}
