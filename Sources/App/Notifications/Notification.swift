import GraphQL
import Postgres

/// A notification: what happened to one subject, for one account. Its properties decode columns of the row when they
/// are read.
struct Notification: ObjectValue, ListItem {
    /// The aliases `n` and `s` are the notifications table and `shown`.
    static let columns: StaticString = """
        n.id, n.kind, coalesce(s.actor_id, n.actor_id), coalesce(s.others, n.actor_count), \
        coalesce(s.sentence, n.text), n.subject_type, n.subject_id, n.created_at, n.read_at, n.reason
        """
    static let columnTypes: [ColumnType] = [
        .uuid, .text, .uuid, .int4, .text, .text, .uuid, .timestamptz, .timestamptz, .text,
    ]
    /// The condition for a notification to be shown: it is the viewer's, and not all its actors are hidden. A
    /// notification of moderation has no actors.
    static let isViewers: StaticString = """
        n.user_id = viewer_id() and (n.actors = '{}' or not n.actors <@ (select people_hidden_from_viewer())::uuid[])
        """
    /// A lateral join, `s`, with actor, count and sentence recomputed without hidden actors. It gives nulls unless one
    /// of the actors is hidden or the named actor is deleted.
    static let shown: StaticString = """
         left join lateral (select f.* from (\
        select where n.actor_id is not null and (n.actors && (select people_hidden_from_viewer())::uuid[] \
        or (select true from users u where u.id = n.actor_id) is null) offset 0) o \
        cross join lateral notification_without(n.kind, n.actors, n.actor_count, n.text, \
        (select people_hidden_from_viewer())::uuid[]) f) s on true
        """

    let row: Row

    init(row: Row) {
        row.expect(Self.columnTypes)
        self.row = row
    }

    var id: UUID { row.uuid(0) }
    var kind: Text { row.text(1) }
    var actorID: UUID? { row.uuid(optional: 2) }
    var actorCount: Int32 { row.int32(3) }
    var text: Text { row.text(4) }
    var createdAt: Timestamp { row.timestamp(7) }
    var readAt: Timestamp? { row.timestamp(optional: 8) }
    var reason: Text? { row.text(optional: 9) }

    var subject: TypeID? { TypeID.Kind(rawValue: row.string(5)).map { TypeID($0, row.uuid(6)) } }

    var sortID: UUID { id }
    func sortKey(in order: Cursor.Order) -> Int64 { createdAt.microseconds }
}

struct NotificationsByID: Statement {
    let ids: [UUID]

    var sql: SQL {
        """
        select \(unsafe: Notification.columns) from notifications n\(unsafe: Notification.shown) \
        where n.id = any(\(ids)) and \(unsafe: Notification.isViewers)
        """
    }

    func decode(_ row: Row) -> Notification { Notification(row: row) }
}

struct ViewerNotifications: Statement {
    let unreadOnly: Bool
    let page: Page

    var sql: SQL {
        let list = KeysetList(page, by: .init("n.created_at", "n.id"))
        let condition: SQL = unreadOnly ? " and n.read_at is null" : ""
        return list.page(
            "\(unsafe: Notification.columns)",
            from: """
                select * from notifications n where \(unsafe: Notification.isViewers)\(condition) and \(list.bounds)
                """, as: "n", joining: "\(unsafe: Notification.shown)")
    }

    func decode(_ row: Row) -> Notification { Notification(row: row) }
}

struct UnreadNotificationCount: Statement {
    var sql: SQL {
        """
        select count(*)::integer from notifications n \
        where n.read_at is null and \(unsafe: Notification.isViewers)
        """
    }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}
