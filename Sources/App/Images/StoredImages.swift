import GraphQL
import Postgres

/// An item of the viewer's list of images.
struct StoredImage: ListItem {
    let image: Image
    let uploadedAt: Timestamp
    /// The viewer's objects that show the image: the user, then the newest thoughts, the newest events and the newest
    /// messages, until `StoredImages.maximumUses` are listed.
    let uses: [TypeID]

    var sortID: UUID { image.id }
    func sortKey(in order: Cursor.Order) -> Int64 { uploadedAt.microseconds }

    static var outputShape: OutputShape { Image.outputShape }
    static func completeOutput(_ values: [StoredImage]) -> CompletedColumn {
        Image.completeOutput(values.map(\.image))
    }
    func writeOutput(to json: inout JSONWriter) { json.writeNull() }

    static let bindings: [Binding] = ConnectionBindings.of(StoredImage.self, "StoredImage") { edge in
        edge.field("createdAt", \.node.uploadedAt)
        edge.load("usedIn") { edges, context in
            let counts = edges.map(\.node.uses.count)
            return context.context.nodes(edges.flatMap(\.node.uses)).map { nodes in
                var rest = nodes[...]
                return counts.map { count in
                    defer { rest = rest.dropFirst(count) }
                    return rest.prefix(count).compactMap { $0 }
                }
            }
        }
    }
}

/// The viewer's images, the newest first.
struct StoredImages: Statement {
    /// The most objects listed for one image.
    static let maximumUses = 10

    let page: Page

    var sql: SQL {
        let list = KeysetList(page, by: .init("i.created_at", "i.id"))
        return list.page(
            """
            \(unsafe: Image.columns), image_is_public(i.id, i.owner_id), i.created_at, \
            array(select id from users where avatar_id = i.id and id = viewer_id()), \
            array(select id from thoughts where image_id = i.id and author_id = viewer_id() \(Self.newest)), \
            array(select id from events where image_id = i.id and author_id = viewer_id() \(Self.newest)), \
            array(select id from messages where image_id = i.id and author_id = viewer_id() \(Self.newest))
            """, from: "select * from images i where i.owner_id = viewer_id() and \(list.bounds)", as: "i")
    }

    private static let newest: SQL = "order by id desc limit \(Int64(maximumUses))"

    func decode(_ row: Row) -> StoredImage {
        let kinds: [TypeID.Kind] = [.user, .thought, .event, .message]
        let uses = zip(kinds, 7...).flatMap { kind, column in row.uuids(column).map { TypeID(kind, $0) } }
        return StoredImage(
            image: ImageNodes(ids: []).decode(row), uploadedAt: row.timestamp(6),
            uses: Array(uses.prefix(Self.maximumUses)))
    }
}

extension RequestContext {
    func storedImages(_ arguments: InputObject) throws -> Pending<ListPage<StoredImage>> {
        let page = try Page(arguments, order: .created)
        return start(StoredImages(page: page)).pending.map { page.list($0) }
    }
}
