import GraphQL
import Postgres

/// A comment. Its properties decode columns of the row when they are read.
struct Comment: SharedObject, Authored, ListItem {
    /// The alias `c` is the comments table.
    static let columns: StaticString =
        "c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at"
    static let columnTypes: [ColumnType] = [.uuid, .uuid, .uuid, .uuid, .text, .timestamptz, .timestamptz]
    static let columnTypesWithAuthor = columnTypes + User.columnTypes
    /// The policies `visible` and `not_hidden` of comments as one condition, for the checks of statements. It includes
    /// the condition `isVisible` of the comment's subject.
    static let isVisible: SQL = """
        (c.author_id <> all(hidden_ids()) \
        and (c.thought_id is null or exists (select from thoughts t where t.id = c.thought_id and \(Thought.isVisible))) \
        and (c.event_id is null or exists (select from events e where e.id = c.event_id and \(Event.isVisible))))
        """
    /// The length of a comment's text, in grapheme clusters.
    static let textLength = 1...1000

    let row: Row
    let hasAuthor: Bool

    init(row: Row, hasAuthor: Bool = false) {
        row.expect(hasAuthor ? Self.columnTypesWithAuthor : Self.columnTypes)
        self.row = row
        self.hasAuthor = hasAuthor
    }

    var id: UUID { row.uuid(0) }
    var authorID: UUID { row.uuid(1) }
    var author: User? { hasAuthor ? User(row: row, offset: Self.columnTypes.count) : nil }
    var text: Text { row.text(4) }
    var createdAt: Timestamp { row.timestamp(5) }
    var editedAt: Timestamp? { row.timestamp(optional: 6) }

    var subject: TypeID {
        row.uuid(optional: 2).map { TypeID(.thought, $0) } ?? TypeID(.event, row.uuid(3))
    }

    var sortID: UUID { id }
    func sortKey(in order: Cursor.Order) -> Int64 { createdAt.microseconds }
}

struct CommentsByID: Statement {
    let ids: [UUID]

    var sql: SQL { "select \(unsafe: Comment.columns) from comments c where c.id = any(\(ids))" }

    func decode(_ row: Row) -> Comment { Comment(row: row) }
}

/// The type of the object that a comment is on.
enum CommentableKind: Sendable {
    case thought, event

    var column: StaticString {
        switch self {
        case .thought: "thought_id"
        case .event: "event_id"
        }
    }
}

/// The comments of several subjects, a page of each, oldest first.
struct CommentsOfSubjects: Statement {
    let subject: CommentableKind
    let ids: [UUID]
    let page: Page
    let author: AuthorColumns

    var sql: SQL {
        let list = KeysetList(page, by: .init("c.created_at", "c.id"), isDescending: false)
        return list.pages(
            "\(unsafe: Comment.columns)\(author.columns)", ofEach: ids,
            from: "select * from comments c where c.\(unsafe: subject.column) = parent.id and \(list.bounds)", as: "c",
            joining: author.join("c"))
    }

    func decode(_ row: Row) -> (parent: Int, item: Comment) {
        let hasAuthor = author == .joined
        let place = (hasAuthor ? Comment.columnTypesWithAuthor : Comment.columnTypes).count
        return (Int(row.int64(place)) - 1, Comment(row: row, hasAuthor: hasAuthor))
    }
}

extension RequestContext {
    func comments(
        of ids: [UUID], on subject: CommentableKind, _ author: AuthorColumns, _ arguments: InputObject
    ) throws -> Pending<[ListPage<Comment>]> {
        let page = try Page(arguments, order: .oldest)
        return start(CommentsOfSubjects(subject: subject, ids: ids, page: page, author: author)).pending
            .map { page.lists($0, parents: ids.count) }
    }
}
