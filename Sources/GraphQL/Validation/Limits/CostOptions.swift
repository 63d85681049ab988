/// The weights of what has no `@cost`.
public struct CostOptions: Sendable {
    /// Of an object, an interface or a union.
    public var object: Double
    /// Of a field at the root of a mutation, besides what it returns.
    public var mutation: Double
    /// Of a list without `@listSize`.
    public var defaultListSize: Double

    public init(object: Double = 1, mutation: Double = 10, defaultListSize: Double = 1) {
        self.object = object
        self.mutation = mutation
        self.defaultListSize = defaultListSize
    }
}
