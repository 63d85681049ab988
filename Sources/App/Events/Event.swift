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
    static let columnTypes: [ColumnType] = [
        .uuid, .uuid, .text, .text, .text, .uuid, .timestamptz, .timestamptz, .text, .timestamptz, .timestamptz,
        .timestamptz, .int4, .int4, .int4, .text,
    ]
    static let columnTypesWithAuthor = columnTypes + User.columnTypes

    /// The policy `not_hidden` as a condition, for the checks of statements; the alias `e` is the events table.
    static let isVisible: SQL = "(e.author_id <> all(hidden_ids()))"

    let row: Row
    let hasAuthor: Bool

    /// - Parameter sortType: the type of the sort key, which some lists read behind all other columns.
    init(row: Row, hasAuthor: Bool = false, sortType: ColumnType? = nil) {
        row.expect(hasAuthor ? Self.columnTypesWithAuthor : Self.columnTypes)
        self.row = row
        self.hasAuthor = hasAuthor
        if let sortType { row.expect(sortType, at: sortColumn) }
    }

    var id: UUID { row.uuid(0) }
    var authorID: UUID { row.uuid(1) }
    var author: User? { hasAuthor ? User(row: row, offset: Self.columnTypes.count) : nil }
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

    private var sortColumn: Int { hasAuthor ? Self.columnTypesWithAuthor.count : Self.columnTypes.count }

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
