/// Work that is awaited later: a load that has been started, such as a statement that was sent, or a batch that begins
/// when it is awaited. All loads of a round are in flight at once, without a task for each.
public struct Pending<Value: Sendable>: Sendable {
    /// Awaits the work.
    public let value: @Sendable () async throws -> Value

    /// - Parameter value: awaits the work.
    public init(_ value: @escaping @Sendable () async throws -> Value) { self.value = value }

    /// A value that is known already.
    public init(_ value: Value) { self.value = { value } }

    /// The same work, whose value is transformed when it arrives.
    @inlinable
    public func map<Mapped: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Mapped
    ) -> Pending<Mapped> {
        let value = value
        return Pending<Mapped> { try transform(try await value()) }
    }
}
