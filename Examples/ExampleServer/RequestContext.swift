import GraphQL

/// What a request brings to its resolvers: here nothing. Elsewhere the viewer, the database, the clock.
struct RequestContext: ExecutionContext {
    /// Clients of the example see every message. A server that has secrets shows only what it knows.
    func executionError(for error: any Error) -> ExecutionError {
        ExecutionError("\(error)", code: .internalServerError)
    }
}

/// What a resolver throws.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
