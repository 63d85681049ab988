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
    /// Fields that ask for a page without saying how large, or in two ways.
    /// Spec: GraphQL Cost Directives, `requireOneSlicingArgument`
    public var unslicedFields: [String] = []
}
