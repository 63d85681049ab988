import GraphQL
import Postgres

/// An image's description; its bytes are served at its address.
struct Image: ObjectValue {
    /// The alias `i` is the images table.
    static let columns: StaticString = "i.id, i.mime_type, i.width, i.height, i.byte_size"

    let row: Row

    var id: UUID { row.uuid(0) }
    var mimeType: Text { row.text(1) }
    var width: Int32 { row.int32(2) }
    var height: Int32 { row.int32(3) }
    var byteSize: Int32 { row.int32(4) }

    static let binding: Binding = ObjectBinding<Image, RequestContext>("Image") { image in
        image.field("id") { TypeID(.image, $0.id) }
        image.field("url") { image, context in
            PublicURL(base: context.environment.publicURL, path: "/images/", id: TypeID(.image, image.id))
        }
        image.field("mimeType", \.mimeType)
        image.field("width", \.width)
        image.field("height", \.height)
        image.field("byteSize", \.byteSize)
    }
}

struct ImagesByID: Statement {
    let ids: [UUID]

    var sql: SQL { "select \(unsafe: Image.columns) from images i where i.id = any(\(ids))" }

    func decode(_ row: Row) -> Image { Image(row: row) }
}

extension RequestContext {
    /// No statement where no object of the level has an image.
    func images(_ ids: [UUID?]) -> Pending<[Image?]> {
        let present = Set(ids.compactMap { $0 })
        if present.isEmpty { return Pending(ids.map { _ in nil }) }
        return start(ImagesByID(ids: Array(present))).pending.map { rows in
            let images = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            return ids.map { $0.flatMap { images[$0] } }
        }
    }

    /// The image's address, or a placeholder's.
    func coverURL(image: UUID?, placeholder: String) -> PublicURL {
        if let image {
            return PublicURL(base: environment.publicURL, path: "/images/", id: TypeID(.image, image))
        }
        let path: StaticString =
            switch placeholder {
            case "FUNNY": "/covers/funny.svg"
            case "SERIOUS": "/covers/serious.svg"
            case "CRAZY": "/covers/crazy.svg"
            default: "/covers/event.svg"
            }
        return PublicURL(base: environment.publicURL, path: path, id: nil)
    }
}
