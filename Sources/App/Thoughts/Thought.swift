import GraphQL
import Postgres

/// A thought. Its properties decode columns of the row when they are read.
struct Thought: SharedObject, Authored, ListItem {
    /// The alias `t` is the thoughts table.
    static let columns: StaticString = """
        t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, \
        t.updated_at, t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, \
        case when (select exists (select from deleted_accounts)) then gone_acts_on_thought(t.id) end
        """
    static let columnTypes: [ColumnType] = [
        .uuid, .uuid, .text, .text, .text, .uuid, .text, .timestamptz, .timestamptz, .timestamptz, .int4, .int4,
        .int4, .int4, .int4, .int4, .text,
    ]
    static let columnTypesWithAuthor = columnTypes + User.columnTypes
    /// The policies `visible` and `not_hidden` as one condition, for the checks of statements; the alias `t` is the
    /// thoughts table. A draft is visible to its author alone.
    static let isVisible: SQL = """
        (t.status = 'PUBLISHED' and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
        """

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
    var category: Text { row.text(2) }
    var title: Text? { row.text(optional: 3) }
    var text: Text { row.text(4) }
    var imageID: UUID? { row.uuid(optional: 5) }
    var status: Text { row.text(6) }
    var createdAt: Timestamp { row.timestamp(7) }
    var publishedAt: Timestamp? { row.timestamp(optional: 8) }
    var updatedAt: Timestamp { row.timestamp(9) }
    var likeCount: Int32 { row.int32(10) - actsOfRemovedAccounts[0] }
    var commentCount: Int32 { row.int32(11) - actsOfRemovedAccounts[1] }
    /// For its author alone.
    var saveCount: Personal<Int32> { Personal(row.int32(12) - actsOfRemovedAccounts[2]) }
    var shareCount: Int32 { row.int32(13) }
    private var sortColumn: Int { hasAuthor ? Self.columnTypesWithAuthor.count : Self.columnTypes.count }
    /// When the viewer liked or saved the thought. Only `MarkedThoughts` reads it.
    var markedAt: Personal<Timestamp> { Personal(row.timestamp(sortColumn)) }
    var rating: RatingSummary {
        RatingSummary(count: row.int32(14) - actsOfRemovedAccounts[3], total: row.int32(15) - actsOfRemovedAccounts[4])
    }
    private var actsOfRemovedAccounts: ActsOfRemovedAccounts { ActsOfRemovedAccounts(row, 16) }

    var sortID: UUID { id }

    func sortKey(in order: Cursor.Order) -> Int64 {
        switch order {
        case .newest: (publishedAt ?? createdAt).microseconds
        case .mostLiked, .mostDiscussed, .bestRated: Int64(row.int32(sortColumn))
        case .marked: row.timestamp(sortColumn).microseconds
        case .created, .chronological, .oldest: createdAt.microseconds
        }
    }
}

struct RatingSummary: SharedObject {
    let count: Int32
    let total: Int32

    var average: Double? { count == 0 ? nil : Double(total) / Double(count) }

    static let binding: Binding = ObjectBinding<RatingSummary, RequestContext>("RatingSummary") { summary in
        summary.field("count", \.count)
        summary.field("average", \.average)
        summary.field("total", \.total)
    }
}

enum ThoughtCategory: String, InputDecodable, CaseIterable {
    case funny = "FUNNY"
    case serious = "SERIOUS"
    case crazy = "CRAZY"
}

enum ThoughtStatus: String, InputDecodable, CaseIterable {
    case draft = "DRAFT"
    case published = "PUBLISHED"
}

enum ThoughtOrder: String, InputDecodable, CaseIterable {
    case newest = "NEWEST"
    case mostLiked = "MOST_LIKED"
    case bestRated = "BEST_RATED"
    case mostDiscussed = "MOST_DISCUSSED"

    var cursorOrder: Cursor.Order {
        switch self {
        case .newest: .newest
        case .mostLiked: .mostLiked
        case .bestRated: .bestRated
        case .mostDiscussed: .mostDiscussed
        }
    }
}
