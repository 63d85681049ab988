import GraphQL
import Postgres

/// The metadata of an image. `/images/ID` serves the bytes.
struct Image: SharedObject {
    /// The alias `i` is the images table.
    static let columns: StaticString = "i.id, i.mime_type, i.width, i.height, i.byte_size"
    /// The condition for an image that is read by its id: it is public, or its owner is not hidden from the viewer.
    static let isVisible: StaticString = """
        (image_is_public(i.id, i.owner_id) \
        or (i.owner_id = any((select people_hidden_from_viewer())::uuid[])) is not true)
        """

    let row: Row
    /// True if everyone may see the image, because everyone may see an object that shows it.
    var isPublic: Bool

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
    /// The images that objects show, in the objects' order. No statement runs if no object has an image.
    /// - Parameter uses: for each object, the image's id, and whether everyone may see the object.
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
