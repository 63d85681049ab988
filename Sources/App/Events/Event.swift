import GraphQL
import Postgres

/// An event. Its properties decode columns of the row when they are read.
struct Event: SharedObject, Authored, ListItem {
    /// The alias `e` is the events table.
    static let columns: StaticString = """
        e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone, \
        e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, \
        case when (select exists (select from deleted_accounts)) then gone_acts_on_event(e.id) end
        """
    static let columnCount = 16

    /// The policy `not_hidden` as a condition, for statements that check visibility themselves; the alias `e` is the
    /// events table.
    static let isVisible: SQL = "(e.author_id <> all(hidden_ids()))"

    let row: Row
    var hasAuthor = false

    var id: UUID { row.uuid(0) }
    var authorID: UUID { row.uuid(1) }
    var author: User? { hasAuthor ? User(row: row, offset: Self.columnCount) : nil }
    var name: Text { row.text(2) }
    var description: Text { row.text(3) }
    var location: Text? { row.text(optional: 4) }
    var imageID: UUID? { row.uuid(optional: 5) }
    var startsAt: Timestamp { row.timestamp(6) }
    var endsAt: Timestamp { row.timestamp(7) }
    var timeZone: Text? { row.text(optional: 8) }
    var cancelledAt: Timestamp? { row.timestamp(optional: 9) }
    var createdAt: Timestamp { row.timestamp(10) }
    var updatedAt: Timestamp { row.timestamp(11) }
    var interestedCount: Int32 { row.int32(12) - actsOfRemovedAccounts[0] }
    var goingCount: Int32 { row.int32(13) - actsOfRemovedAccounts[1] }
    var commentCount: Int32 { row.int32(14) - actsOfRemovedAccounts[2] }
    private var actsOfRemovedAccounts: ActsOfRemovedAccounts { ActsOfRemovedAccounts(row, 15) }

    /// The index of the column that `RsvpEvents` sorts by: the time at which the viewer's RSVP was created. A later
    /// change of its status keeps that time. The column comes after all others.
    private var sortColumn: Int { Self.columnCount + (hasAuthor ? User.columnCount : 0) }

    var sortID: UUID { id }

    func sortKey(in order: Cursor.Order) -> Int64 {
        switch order {
        case .chronological: startsAt.microseconds
        case .marked: row.timestamp(sortColumn).microseconds
        case .newest, .mostLiked, .bestRated, .mostDiscussed, .created, .oldest: createdAt.microseconds
        }
    }
}

enum RsvpStatus: String, InputDecodable, CaseIterable {
    case interested = "INTERESTED"
    case going = "GOING"
}
