/// The size of an operation, in the figures that ``QueryLimits`` bounds.
public struct QueryMetrics: Sendable, Equatable {
    /// The greatest number of fields inside each other. The root field counts; fields below `__schema` and `__type` do
    /// not.
    public var depth = 0
    /// The number of fields with an alias; those of a fragment count once, however often it is spread.
    public var aliases = 0
    /// The number of response names at the root.
    public var rootFields = 0
    /// The greatest number of directives at one location.
    public var directives = 0
    /// The cost, rounded up. ``CostOptions`` has the weights where `@cost` and `@listSize` are not given. The cost of
    /// introspection is included once ``add(_:standard:)`` was called.
    /// Spec: GraphQL Cost Directives
    public var cost = 0
    /// The greatest number of `fields`, `inputFields`, `interfaces` and `possibleTypes` of introspection inside each
    /// other.
    public var introspectionLists = 0
    /// The greatest number of `ofType` of introspection inside each other.
    public var introspectionWrappedTypes = 0
    /// The size of the answer to introspection in bytes, once ``add(_:standard:)`` was called.
    public var introspectionSize = 0
    /// The names of fields that are given no slicing argument, or several, though their `@listSize` requires one.
    /// Spec: GraphQL Cost Directives, `requireOneSlicingArgument`
    public var unslicedFields: [String] = []

    /// Adds the size and the cost of the operation's introspection. The cost is in proportion to the number of objects
    /// in the answer. An answer with as many objects as the answer to the standard introspection query costs 500.
    ///
    /// - Parameters:
    ///   - introspection: the figures of ``Plan/introspection``.
    ///   - standard: the figures of ``introspectionQuery`` in the same schema.
    public mutating func add(_ introspection: IntrospectionSize, standard: IntrospectionSize) {
        introspectionSize += introspection.bytes
        let share = Double(introspection.objects) / Double(max(1, standard.objects))
        cost = Int(min((Double(cost) + 500 * share).rounded(.up), Double(Int32.max)))
    }
}
