import GraphQL

/// Source: the GraphQL multipart request specification
enum UploadScalar {
    /// A file is a part of a multipart request: no JSON value and no literal stands for one.
    static let coercion = ScalarCoercion { (_) throws(CoercionError) in
        throw CoercionError("Upload is given as a file part of a multipart request.")
    }
}
