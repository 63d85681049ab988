import GraphQL
import Postgres

/// The metadata of an image. `/images/ID` serves the bytes.
struct Image: SharedObject {
    /// The alias `i` is the images table.
    static let columns: StaticString = "i.id, i.mime_type, i.width, i.height, i.byte_size"
    static let columnTypes: [ColumnType] = [.uuid, .text, .int4, .int4, .int4]
    /// The condition for an image to be visible by itself: it is public, or its owner is not hidden from the viewer.
    static let isVisible: StaticString = """
        (image_is_public(i.id, i.owner_id) \
        or (i.owner_id = any((select people_hidden_from_viewer())::uuid[])) is not true)
        """

    let row: Row
    /// Whether everyone may see the object that shows the image, and so the image.
    var isPublic: Bool

    init(row: Row, isPublic: Bool) {
        row.expect(Self.columnTypes)
        self.row = row
        self.isPublic = isPublic
    }

    var id: UUID { row.uuid(0) }
    var mimeType: Text { row.text(1) }
    /// In pixels, as displayed.
    var width: Int32 { row.int32(2) }
    var height: Int32 { row.int32(3) }
    var byteSize: Int32 { row.int32(4) }

    static let binding: Binding = ObjectBinding<Image, RequestContext>("Image") { image in
        image.field("id") { TypeID(.image, $0.id) }
        image.field("url", for: Everybody.self) { image, context in
            context.environment.address(of: image.id, isPublic: image.isPublic)
        }
        image.field("mimeType", \.mimeType)
        image.field("width", \.width)
        image.field("height", \.height)
        image.field("byteSize", \.byteSize)
    }
}

/// Images by id, for the objects that show them. `isPublic` is false here; the caller sets it from the object.
struct ImagesByID: Statement {
    let ids: [UUID]

    var sql: SQL { "select \(unsafe: Image.columns) from images i where i.id = any(\(ids))" }

    func decode(_ row: Row) -> Image { Image(row: row, isPublic: false) }
}

struct ImageNodes: Statement {
    let ids: [UUID]

    var sql: SQL {
        """
        select \(unsafe: Image.columns), image_is_public(i.id, i.owner_id) from images i where i.id = any(\(ids)) \
        and \(unsafe: Image.isVisible)
        """
    }

    func decode(_ row: Row) -> Image { Image(row: row, isPublic: row.bool(5)) }
}

extension Everybody {
    /// The images that objects show, in the objects' order. `isPublic` says that everyone may see the object. No
    /// statement runs if no object has an image.
    func images(_ uses: [(id: UUID?, isPublic: Bool)]) -> Pending<[Image?]> {
        let present = Set(uses.compactMap(\.id))
        if present.isEmpty { return Pending(uses.map { _ in nil }) }
        return start(ImagesByID(ids: Array(present))).pending.map { rows in
            let images = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            return uses.map { use in
                guard var image = use.id.flatMap({ images[$0] }) else { return nil }
                image.isPublic = use.isPublic
                return image
            }
        }
    }
}
