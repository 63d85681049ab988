/// Work that has been started, such as a statement that is already sent, and is awaited later: the loads of a round are
/// all in flight at once, without a task for each.
public struct Pending<Value: Sendable>: Sendable {
    /// Awaits the work.
    public let value: @Sendable () async throws -> Value

    /// - Parameter value: awaits work that was started before.
    public init(_ value: @escaping @Sendable () async throws -> Value) { self.value = value }

    /// A value that is there already.
    public init(_ value: Value) { self.value = { value } }

    /// The same work, its value transformed once it is there.
    @inlinable
    public func map<Mapped: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Mapped
    ) -> Pending<Mapped> {
        let value = value
        return Pending<Mapped> { try transform(try await value()) }
    }
}
