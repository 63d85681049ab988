/// What one request brings to its resolvers: the viewer, the database, the clock. A type parameter of every binding.
public protocol ExecutionContext: Sendable {
    /// The part of the context that all viewers share. It does not contain the viewer.
    associatedtype Everybody: Sendable = NothingForEverybody
    var everybody: Everybody { get }

    /// Masks what a resolver threw: everything that is not an `ExecutionError`. Called once for each thrown error.
    func executionError(for error: any Error) -> ExecutionError
}

/// The default of `Everybody`: no field takes a part of the context.
public struct NothingForEverybody: Sendable {}

extension ExecutionContext where Everybody == NothingForEverybody {
    public var everybody: NothingForEverybody { NothingForEverybody() }
}
