/// A file that came with a request. A resolver takes it as an argument:
///
///     let image: Upload? = try context.arguments.decode("image")
///
/// Source: GraphQL multipart request specification
public final class Upload: Sendable {
    /// The last part of the name that the client gave, without control characters; empty where it gave none. Good for
    /// showing, never for a path.
    public let filename: String
    /// What the client says it is, such as `image/png`, unproven; nil where it says nothing.
    public let contentType: String?
    public let bytes: [UInt8]

    public init(filename: String, contentType: String?, bytes: [UInt8]) {
        self.filename = filename
        self.contentType = contentType
        self.bytes = bytes
    }
}

/// The same file, not one with equal bytes.
extension Upload: Equatable {
    public static func == (left: Upload, right: Upload) -> Bool { left === right }
}

/// A file, or what stands for one in a Swift type: an argument `image: Upload?`.
extension InputDecodable where Self == Upload {
    public init(inputValue: InputValue) throws {
        guard case .upload(let upload) = inputValue else { throw InputDecodingError.mismatch(expected: "Upload") }
        self = upload
    }
}

extension Upload: InputDecodable {}

extension ScalarCoercion {
    /// A file and nothing else: no JSON value and no literal stands for one.
    public static let upload = ScalarCoercion { (value) throws(CoercionError) in
        guard case .upload = value else {
            throw CoercionError("Upload is given as a file part of a multipart request.")
        }
        return value
    }
}
