import GraphQL

/// Source: GraphQL multipart request specification
enum UploadScalar {
    static let coercion = ScalarCoercion.upload
}
