/// The measures of a document's operations. All that depends on the document alone is computed once. The cost, which
/// depends on a request's variables, is then a walk over a flat array.
///
///     let measure = QueryMeasure(document, against: schema)
///     let errors = QueryLimits().check(measure.metrics(of: "Feed", variables: variables))
public struct QueryMeasure: Sendable {
    private struct Operation: Sendable {
        var name: String?
        var metrics: QueryMetrics
        /// nil where the cost does not depend on the variables.
        var cost: CostModel?
        var defaults: [String: InputValue]
    }

    private var operations: [Operation] = []

    /// - Parameters:
    ///   - document: a document that was validated.
    ///   - costs: the weights of types and fields without `@cost`.
    public init(_ document: ValidatedDocument, costs: CostOptions = CostOptions()) {
        self.init(document.index, document.schema, costs)
    }

    /// - Parameters:
    ///   - document: a valid document. Fields that the schema does not have cost nothing.
    ///   - schema: the schema that it was validated against.
    ///   - costs: the weights of types and fields without `@cost`.
    public init(
        _ document: Document, against schema: Schema, costs: CostOptions = CostOptions()
    ) {
        self.init(traverse(document, against: schema, NoRules(), ValidationOptions()).index, schema, costs)
    }

    private init(_ index: DocumentIndex, _ schema: Schema, _ costs: CostOptions) {
        let shape = DocumentShape(index, schema)
        let compiler = CostCompiler(index, schema, costs)
        operations = index.operations.enumerated().map { position, operation in
            let reachable = index.fragments(reachableFrom: operation)
            var metrics = shape.metrics(of: operation, fragments: reachable)
            let cost = compiler.model(of: operation, fragments: reachable)
            if !cost.dependsOnVariables {
                let outcome = cost.evaluate { _ in nil }
                (metrics.cost, metrics.unslicedFields) = (outcome.cost, outcome.unslicedFields)
            }
            return Operation(
                name: operation.definition.name?.value, metrics: metrics, cost: cost.dependsOnVariables ? cost : nil,
                defaults: cost.dependsOnVariables ? Self.defaults(of: operation.definition) : [:])
        }
    }

    /// The figures of one operation.
    ///
    /// - Parameters:
    ///   - name: the operation's name in the request; nil for the document's first operation.
    ///   - variables: values by name, coerced or not; absent ones have the defaults of the operation.
    /// - Returns: nil where the document has no such operation.
    public func metrics(of name: String? = nil, variables: [String: InputValue]? = nil) -> QueryMetrics? {
        guard let operation = operations.first(where: { name == nil || $0.name == name }) else { return nil }
        guard let cost = operation.cost else { return operation.metrics }
        let outcome = cost.evaluate { variables?[$0] ?? operation.defaults[$0] }
        var metrics = operation.metrics
        (metrics.cost, metrics.unslicedFields) = (outcome.cost, outcome.unslicedFields)
        return metrics
    }

    /// The heap memory that the measures hold, in bytes: an estimate.
    public var heapSize: Int {
        var size = HeapSize.of(operations) { operation in
            HeapSize.of(operation.name ?? "") + HeapSize.of(operation.cost?.order ?? [])
                + HeapSize.of(operation.defaults) + operation.defaults.values.reduce(0) { $0 + $1.heapSize }
        }
        // The operations share the steps.
        if let cost = operations.lazy.compactMap(\.cost).first {
            size += HeapSize.of(cost.steps) + HeapSize.of(cost.ranges) + HeapSize.of(cost.sizes) { $0.heapSize }
        }
        return size
    }

    private static func defaults(of operation: OperationDefinition) -> [String: InputValue] {
        var defaults: [String: InputValue] = [:]
        for definition in operation.variableDefinitions {
            if let value = definition.defaultValue { defaults[definition.name.value] = InputValue(literal: value) }
        }
        return defaults
    }
}

/// The figures of one operation; nil where the document has no such operation. For several requests with one document,
/// ``QueryMeasure`` computes less.
public func measure(
    _ document: Document, operation: String? = nil, against schema: Schema, variables: [String: InputValue]? = nil
) -> QueryMetrics? {
    QueryMeasure(document, against: schema).metrics(of: operation, variables: variables)
}

extension CostModel.Size {
    fileprivate var heapSize: Int {
        HeapSize.of(field) + HeapSize.of(slices) + HeapSize.of(sizedFields ?? [])
    }
}
