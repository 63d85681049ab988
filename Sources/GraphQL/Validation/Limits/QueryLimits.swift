/// The limits of one operation. Each limit bounds the figure of ``QueryMetrics`` of the same name.
public struct QueryLimits: Sendable {
    public var depth: Int
    public var aliases: Int
    public var rootFields: Int
    public var directives: Int
    public var cost: Int
    public var introspectionLists: Int
    public var introspectionWrappedTypes: Int
    /// In bytes. nil means that ``check(_:)`` sets no limit here; the server of this package then sets twice the size
    /// of the answer to ``introspectionQuery``.
    public var introspectionSize: Int?

    public init(
        depth: Int = 12, aliases: Int = 30, rootFields: Int = 20, directives: Int = 4, cost: Int = 2_000,
        introspectionLists: Int = 3, introspectionWrappedTypes: Int = 10, introspectionSize: Int? = nil
    ) {
        self.depth = depth
        self.aliases = aliases
        self.rootFields = rootFields
        self.directives = directives
        self.cost = cost
        self.introspectionLists = introspectionLists
        self.introspectionWrappedTypes = introspectionWrappedTypes
        self.introspectionSize = introspectionSize
    }

    /// Compares an operation's figures with the limits.
    ///
    /// - Returns: one error for each limit that is exceeded, with code `QUERY_TOO_COMPLEX` and `extensions` that have
    ///   the limit's name, its `maximum` and the `actual` figure. `introspectionLists` and `introspectionWrappedTypes`
    ///   are both named `introspectionDepth` there. One error with code ``ErrorCode/validationFailed`` follows for each
    ///   of the operation's ``QueryMetrics/unslicedFields``.
    public func check(_ metrics: QueryMetrics) -> [GraphQLError] {
        let figures: [(limit: String, what: String, actual: Int, maximum: Int)] = [
            ("depth", "depth", metrics.depth, depth),
            ("aliases", "number of aliases", metrics.aliases, aliases),
            ("rootFields", "number of root fields", metrics.rootFields, rootFields),
            ("directives", "number of directives at one place", metrics.directives, directives),
            ("introspectionDepth", "introspection depth", metrics.introspectionLists, introspectionLists),
            ("introspectionDepth", "depth of ofType", metrics.introspectionWrappedTypes, introspectionWrappedTypes),
            ("cost", "cost", metrics.cost, cost),
            (
                "introspectionSize", "answer to introspection in bytes", metrics.introspectionSize,
                introspectionSize ?? .max
            ),
        ]
        var errors = figures.filter { $0.actual > $0.maximum }.map { figure in
            GraphQLError(
                "The operation's \(figure.what) is \(figure.actual), but at most \(figure.maximum) is allowed.",
                extensions: InputObject([
                    (name: "code", value: .string(ErrorCode.queryTooComplex.rawValue)),
                    (name: "limit", value: .string(figure.limit)), (name: "maximum", value: .int(figure.maximum)),
                    (name: "actual", value: .int(figure.actual)),
                ]))
        }
        errors += metrics.unslicedFields.map { field in
            GraphQLError("The field \"\(field)\" takes exactly one slicing argument.", code: .validationFailed)
        }
        return errors
    }

    /// The figures of an operation beside their limits, for the authors of clients:
    /// `{"cost": {"actual": 120, "maximum": 2000}, …}`. The figures of introspection are left out.
    public func figures(of metrics: QueryMetrics) -> InputObject {
        let figures: [(limit: String, actual: Int, maximum: Int)] = [
            ("depth", metrics.depth, depth), ("aliases", metrics.aliases, aliases),
            ("rootFields", metrics.rootFields, rootFields), ("directives", metrics.directives, directives),
            ("cost", metrics.cost, cost),
        ]
        return InputObject(
            figures.map { figure in
                let values = InputObject([
                    (name: "actual", value: .int(figure.actual)), (name: "maximum", value: .int(figure.maximum)),
                ])
                return (name: figure.limit, value: .object(values))
            })
    }
}
