import Cryptography
import GraphQL
import Postgres

/// A mutation's argument that takes a file, and the input field that gets the id of the file's image.
struct ImageArgument: Sendable {
    let name: String
    var field = "imageId"
}

/// A file that came with a mutation. It is checked and cleaned before anything is written, and stored in the
/// transaction of the mutation's write.
struct NewImage: Sendable {
    let id: UUID
    /// The SHA-256 of the file as it was sent.
    let digest: SHA256Digest
    private let argument: ImageArgument
    private let checked: Result<CleanImage, ImageError>

    init(_ upload: Upload, as argument: ImageArgument, id: UUID) {
        self.id = id
        self.argument = argument
        digest = SHA256.digest(of: upload.bytes)
        checked = Result { () throws(ImageError) in try CleanImage(cleaning: upload.bytes) }
    }

    /// The input with this image's id in the argument's field.
    func placed(in input: InputObject) -> InputObject {
        InputObject(
            input.fields.filter { $0.name != argument.field }
                + [(name: argument.field, value: .string(TypeID(.image, id).description))])
    }

    var userErrors: [UserError] {
        guard case .failure(let error) = checked else { return [] }
        return [UserError(error.code, error.sentence, argument: argument.name)]
    }

    /// A statement that stores the image if `condition` holds, within the quota in bytes; nil for a refused file.
    func store(where condition: SQL, quota: Int) -> SQL? {
        guard case .success(let image) = checked else { return nil }
        return """
            select store_image(\(id), \(image.bytes), \(image.format.rawValue), \(Int32(image.width)), \
            \(Int32(image.height)), \(quota), \(argument.name)) where \(condition)
            """
    }
}
