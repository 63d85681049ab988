import GraphQL
import Postgres

/// Stores a file as an image. The sweep deletes it if no object uses it within a day.
struct UploadImage: Mutation {
    static let name = "uploadImage"
    static let imageArgument: ImageArgument? = ImageArgument(name: "file")

    let id: UUID

    static func input(of arguments: InputObject) -> InputObject { arguments }

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.image, "imageId") }

    /// The image argument has been stored before this statement, which reads it.
    var write: SQL { ImageNodes(ids: [id]).sql }

    static func replay(_ outcome: MutationOutcome) -> SQL? { ImageNodes(ids: [outcome.id]).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Image? {
        row.map { ImageNodes(ids: []).decode($0) }
    }
}
