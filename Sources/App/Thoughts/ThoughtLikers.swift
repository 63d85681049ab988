import GraphQL
import Postgres

/// An account that likes a thought. Likes of anonymous accounts are counted, but these accounts are not listed.
struct Liker: ListItem {
    let user: User
    let likedAt: Timestamp

    var sortID: UUID { user.id }
    func sortKey(in order: Cursor.Order) -> Int64 { likedAt.microseconds }

    static var outputShape: OutputShape { User.outputShape }
    static func completeOutput(_ values: [Liker]) -> CompletedColumn { User.completeOutput(values.map(\.user)) }
    func writeOutput(to json: inout JSONWriter) { json.writeNull() }
}

enum ThoughtLikers {
    static let bindings: [Binding] = ConnectionBindings.of(Liker.self, "ThoughtLiker") { edge in
        edge.field("createdAt", \.node.likedAt)
    }

    static func load(
        _ thoughts: [UUID], _ context: FieldContext<RequestContext>
    ) throws -> Pending<[ListPage<Liker>]> {
        let page = try Page(context.arguments, order: .created)
        return context.context.start(LikersOfThoughts(thoughts: thoughts, page: page)).pending
            .map { page.lists($0, parents: thoughts.count) }
    }
}

struct LikersOfThoughts: Statement {
    let thoughts: [UUID]
    let page: Page

    var sql: SQL {
        let list = KeysetList(
            page, by: .init("l.created_at", "l.user_id"), as: .init("page.created_at", "page.user_id"))
        return list.pages(
            "\(unsafe: User.columnsOfPage), page.created_at", ofEach: thoughts,
            from: """
                select l.user_id, l.created_at, \(unsafe: User.columnsForPage) \
                from thought_likes l join users u on u.id = l.user_id \
                where l.thought_id = parent.id and not u.is_anonymous and \(list.bounds)
                """, as: "page")
    }

    func decode(_ row: Row) -> (parent: Int, item: Liker) {
        (Int(row.int64(8)) - 1, Liker(user: User(row: row), likedAt: row.timestamp(7)))
    }
}
