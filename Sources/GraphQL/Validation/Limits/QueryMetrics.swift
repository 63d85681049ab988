/// How large an operation is, in the figures that `QueryLimits` bounds.
public struct QueryMetrics: Sendable, Equatable {
    /// The most fields inside each other, the root field included; introspection's are not counted.
    public var depth = 0
    /// Fields with an alias, those of a fragment once however often it is spread.
    public var aliases = 0
    /// Response names at the root.
    public var rootFields = 0
    /// The most directives at one place.
    public var directives = 0
    /// See `CostModel`; rounded up.
    public var cost = 0
    /// Introspection's lists of types and fields inside each other.
    public var introspectionLists = 0
    /// Introspection's `ofType` inside each other.
    public var introspectionWrappedTypes = 0
    /// Bytes of the answer to introspection.
    public var introspectionSize = 0
    /// Fields that ask for a page without saying how large, or in two ways.
    /// Spec: GraphQL Cost Directives, `requireOneSlicingArgument`
    public var unslicedFields: [String] = []

    /// Adds introspection, which an operation's plan can tell. The standard introspection query costs 500, and any other
    /// in proportion to the objects that it is answered with.
    /// - Parameter standard: the figures of `introspectionQuery` in the same schema.
    public mutating func add(_ introspection: IntrospectionFigures, standard: IntrospectionFigures) {
        introspectionSize += introspection.bytes
        let share = Double(introspection.objects) / Double(max(1, standard.objects))
        cost = Int(min((Double(cost) + 500 * share).rounded(.up), Double(Int32.max)))
    }
}
