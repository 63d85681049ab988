import GraphQL
import Postgres

/// An item of the viewer's list of saved thoughts.
struct SavedThought: ListItem {
    let thought: Thought

    var sortID: UUID { thought.id }
    func sortKey(in order: Cursor.Order) -> Int64 { thought.sortKey(in: order) }

    static var outputShape: OutputShape { Thought.outputShape }
    static func completeOutput(_ values: [SavedThought]) -> CompletedColumn {
        Thought.completeOutput(values.map(\.thought))
    }
    func writeOutput(to json: inout JSONWriter) { json.writeNull() }

    static let bindings: [Binding] = ConnectionBindings.of(SavedThought.self, "SavedThought") { edge in
        edge.field("createdAt", \.node.thought.markedAt)
    }
}

/// The thoughts that the viewer has liked or saved and may still see, the newest like or save first.
struct MarkedThoughts: Statement {
    let mark: ViewerMarks.Mark
    let page: Page
    let author: AuthorColumns

    var sql: SQL {
        let list = KeysetList(page, by: .init("m.created_at", "m.thought_id"), as: .init("t.marked_at", "t.id"))
        return list.page(
            "\(unsafe: Thought.columns)\(author.columns), t.marked_at",
            from: """
                select t.*, m.created_at as marked_at from \(unsafe: mark.table) m join thoughts t on t.id = m.thought_id \
                where m.user_id = viewer_id() and \(Thought.isVisible) and \(list.bounds)
                """, as: "t", joining: author.join("t"))
    }

    func decode(_ row: Row) -> Thought {
        Thought(row: row, hasAuthor: author == .joined, sortType: .timestamptz)
    }
}

extension ViewerMarks.Mark {
    var table: StaticString {
        switch self {
        case .liked: "thought_likes"
        case .saved: "thought_saves"
        }
    }
}

/// All elements of `viewers` are the viewer's account: a document that selects `viewer` under several aliases has
/// several.
extension RequestContext {
    func savedThoughts(
        of viewers: [ViewerAccount], _ author: AuthorColumns, _ arguments: InputObject
    ) throws -> Pending<[ListPage<SavedThought>]> {
        let page = try Page(arguments, order: .marked)
        return start(MarkedThoughts(mark: .saved, page: page, author: author)).pending.map { rows in
            viewers.map { _ in page.list(rows.map(SavedThought.init)) }
        }
    }

    func likedThoughts(
        of viewers: [ViewerAccount], _ author: AuthorColumns, _ arguments: InputObject
    ) throws -> Pending<[ListPage<Thought>]> {
        let page = try Page(arguments, order: .marked)
        return start(MarkedThoughts(mark: .liked, page: page, author: author)).pending.map { rows in
            viewers.map { _ in page.list(rows) }
        }
    }
}
