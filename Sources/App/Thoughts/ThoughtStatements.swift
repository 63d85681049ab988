import GraphQL
import Postgres

struct ThoughtsByID: Statement {
    let ids: [UUID]
    var author = AuthorColumns.omitted

    var sql: SQL {
        "select \(unsafe: Thought.columns)\(author.columns) from thoughts t\(author.join("t")) where t.id = any(\(ids))"
    }

    func decode(_ row: Row) -> Thought { Thought(row: row, hasAuthor: author == .joined) }
}

struct ThoughtByID: Statement {
    let id: UUID
    var author = AuthorColumns.omitted

    var sql: SQL {
        "select \(unsafe: Thought.columns)\(author.columns) from thoughts t\(author.join("t")) where t.id = \(id)"
    }

    func decode(_ row: Row) -> Thought { Thought(row: row, hasAuthor: author == .joined) }
}

/// A page of published thoughts, of all authors or of one.
struct PublishedThoughts: Statement {
    struct Filter: Sendable, InputObjectDecodable {
        var categories: [String]?
        var authorID: UUID?

        init(categories: [String]? = nil, authorID: UUID? = nil) {
            self.categories = categories
            self.authorID = authorID
        }

        init(input: InputObject) throws {
            categories = try input.decode([ThoughtCategory]?.self, "categories")?.map(\.rawValue)
            authorID = try input.reference(.user, "authorId")
        }

        /// An empty list matches nothing.
        var matchesNothing: Bool { categories?.isEmpty ?? false }
    }

    let filter: Filter
    let page: Page
    var author = AuthorColumns.omitted

    var sql: SQL { isRanked ? ranked : newest }

    private var isRanked: Bool {
        switch page.order {
        case .mostLiked, .mostDiscussed, .bestRated: true
        case .newest, .created, .chronological, .oldest, .marked: false
        }
    }

    private var newest: SQL {
        let list = KeysetList(page, by: .init("t.published_at", "t.id"))
        return list.page(
            "\(unsafe: Thought.columns)\(author.columns)",
            from: "select * from thoughts t where t.status = 'PUBLISHED'\(conditions) and \(list.bounds)", as: "t",
            joining: author.join("t"))
    }

    private var ranked: SQL {
        let list = KeysetList(page, by: .init("r.rank", "r.thought_id"), as: .init("t.rank", "t.id"), type: .int32)
        return list.page(
            "\(unsafe: Thought.columns)\(author.columns), t.rank",
            from: """
                select t.*, r.rank from thought_ranks r join thoughts t on t.id = r.thought_id \
                where r.kind = \(unsafe: kind) and t.status = 'PUBLISHED'\(conditions) and \(list.bounds)
                """, as: "t", joining: author.join("t"))
    }

    /// The kind of rank in the table `thought_ranks`.
    private var kind: StaticString {
        switch page.order {
        case .mostLiked: "'MOST_LIKED'"
        case .mostDiscussed: "'MOST_DISCUSSED'"
        case .bestRated: "'BEST_RATED'"
        case .newest, .created, .chronological, .oldest, .marked: "null"
        }
    }

    private var conditions: SQL {
        let category: SQL =
            switch filter.categories {
            case nil: ""
            case let categories? where categories.count == 1: " and t.category = \(categories[0])"
            case let categories?: " and t.category = any(\(categories))"
            }
        guard let authorID = filter.authorID else { return category }
        return "\(category) and t.author_id = \(authorID)"
    }

    func decode(_ row: Row) -> Thought {
        Thought(row: row, hasAuthor: author == .joined, sortType: isRanked ? .int4 : nil)
    }
}

/// The viewer's own thoughts, drafts included, newest first.
struct OwnThoughts: Statement {
    let author: UUID
    let status: ThoughtStatus?
    let page: Page

    var sql: SQL {
        let list = KeysetList(page, by: .init("t.created_at", "t.id"))
        let condition: SQL = status.map { " and t.status = \($0.rawValue)" } ?? ""
        return list.page(
            "\(unsafe: Thought.columns)",
            from: "select * from thoughts t where t.author_id = \(author)\(condition) and \(list.bounds)", as: "t")
    }

    func decode(_ row: Row) -> Thought { Thought(row: row) }
}

/// The published thoughts of several authors, a page of each. The last column is the author's number in `authors`, from
/// 1.
struct ThoughtsOfAuthors: Statement {
    let authors: [UUID]
    let page: Page

    var sql: SQL {
        let list = KeysetList(page, by: .init("t.published_at", "t.id"))
        return list.pages(
            "\(unsafe: Thought.columns)", ofEach: authors,
            from: """
                select * from thoughts t where t.status = 'PUBLISHED' and t.author_id = parent.id and \(list.bounds)
                """, as: "t")
    }

    func decode(_ row: Row) -> (parent: Int, item: Thought) {
        (Int(row.int64(Thought.columnTypes.count)) - 1, Thought(row: row))
    }
}

/// The thoughts among `ids` that the viewer liked, or saved.
struct ViewerMarks: Statement {
    enum Mark: Sendable { case liked, saved }

    let mark: Mark
    let viewer: UUID
    let ids: [UUID]

    var sql: SQL {
        switch mark {
        case .liked: "select thought_id from thought_likes where user_id = \(viewer) and thought_id = any(\(ids))"
        case .saved: "select thought_id from thought_saves where user_id = \(viewer) and thought_id = any(\(ids))"
        }
    }

    func decode(_ row: Row) -> UUID { row.uuid(0) }
}

struct ViewerRatings: Statement {
    let viewer: UUID
    let ids: [UUID]

    var sql: SQL {
        "select thought_id, stars from thought_ratings where user_id = \(viewer) and thought_id = any(\(ids))"
    }

    func decode(_ row: Row) -> (thought: UUID, stars: Int32) { (row.uuid(0), row.int32(1)) }
}
