/// The context of one request, which its resolvers read: the viewer, the database, the clock. It is a type parameter of
/// every binding.
public protocol ExecutionContext: Sendable {
    /// The part of the context that all viewers share. It does not contain the viewer.
    associatedtype Everybody: Sendable = NothingForEverybody
    var everybody: Everybody { get }

    /// Masks an error that a resolver threw and that is not an ``ExecutionError``. The client gets the returned error
    /// instead. The engine calls the method once for each such error, so an implementation may log the error.
    func executionError(for error: any Error) -> ExecutionError
}

/// The default of `Everybody`, for a context without a part that all viewers share.
public struct NothingForEverybody: Sendable {}

extension ExecutionContext where Everybody == NothingForEverybody {
    public var everybody: NothingForEverybody { NothingForEverybody() }
}
