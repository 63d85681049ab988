import GraphQL

/// The coercion of the scalar `Upload`.
/// Source: GraphQL multipart request specification
enum UploadScalar {
    static let coercion = ScalarCoercion.upload
}
