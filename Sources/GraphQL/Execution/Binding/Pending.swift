/// Work that has been started (a statement that is already sent) and is awaited later, so that all fields of a level
/// are in flight at once without a task for each.
public struct Pending<Value: Sendable>: Sendable {
    public let value: @Sendable () async throws -> Value

    public init(_ value: @escaping @Sendable () async throws -> Value) { self.value = value }

    /// Already there.
    public init(_ value: Value) { self.value = { value } }

    @inlinable
    public func map<Mapped: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Mapped
    ) -> Pending<Mapped> {
        let value = value
        return Pending<Mapped> { try transform(try await value()) }
    }
}
