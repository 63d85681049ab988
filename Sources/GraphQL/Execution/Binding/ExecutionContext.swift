/// What one request brings to its resolvers: the viewer, the database, the clock. A type parameter of every binding.
public protocol ExecutionContext: Sendable {
    /// Masks what a resolver threw: everything that is not an `ExecutionError`. Called once for each thrown error.
    func executionError(for error: any Error) -> ExecutionError
}
