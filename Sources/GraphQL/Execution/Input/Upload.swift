/// A file that came with a request. A resolver takes it as an argument:
///
///     let image: Upload? = try context.arguments.decode("image")
///
/// Source: GraphQL multipart request specification
public final class Upload: Sendable {
    /// The last component of the name that the client gave, without control characters; empty where it gave none. The
    /// name is for display and must never be used as a path.
    public let filename: String
    /// The media type that the client claims, such as `image/png`; nil where it claims none.
    public let contentType: String?
    /// The content.
    public let bytes: [UInt8]

    public init(filename: String, contentType: String?, bytes: [UInt8]) {
        self.filename = filename
        self.contentType = contentType
        self.bytes = bytes
    }
}

/// Uploads are equal if they are the same part of a request. Their bytes are not compared.
extension Upload: Equatable {
    public static func == (left: Upload, right: Upload) -> Bool { left === right }
}

/// An extension of the protocol, since an initializer of a class may not assign `self`.
extension InputDecodable where Self == Upload {
    public init(inputValue: InputValue) throws {
        guard case .upload(let upload) = inputValue else { throw InputDecodingError.mismatch(expected: "Upload") }
        self = upload
    }
}

extension Upload: InputDecodable {}

extension ScalarCoercion {
    /// The coercion of the scalar `Upload`. It takes a file part of the request, and no JSON value or literal.
    public static let upload = ScalarCoercion { (value) throws(CoercionError) in
        guard case .upload = value else {
            throw CoercionError("Upload is given as a file part of a multipart request.")
        }
        return value
    }
}
