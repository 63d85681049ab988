import GraphQL

/// The values that a request gives its resolvers: none here; the viewer, the database and the clock in other servers.
struct RequestContext: ExecutionContext {
    /// Clients of the example see every message. A server that has secrets masks the errors that it does not know.
    func executionError(for error: any Error) -> ExecutionError {
        ExecutionError("\(error)", code: .internalServerError)
    }
}

/// An error that a resolver of the example throws.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
