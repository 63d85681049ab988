/// An operation of a validated document, ready to be planned. The operation and its plans do not depend on a request. A
/// server keeps them with the document, the plans by mask.
public struct PreparedOperation<Context: ExecutionContext>: Sendable {
    /// The document that has the operation.
    public let document: Document
    /// The operation's definition.
    public let operation: OperationDefinition
    private let schema: ExecutableSchema<Context>
    let fragments: [String: FragmentDefinition]
    let conditionVariables: [ConditionVariable]
    /// Whether the operation uses @defer or @stream. Without them its response never comes in several parts.
    public let isIncremental: Bool

    /// - Parameters:
    ///   - document: a validated document.
    ///   - operationName: the operation's name in the request; nil for the only operation of the document.
    ///   - schema: the schema that the document was validated against.
    /// - Throws: `OPERATION_RESOLUTION_FAILED` where the document has no such operation, or several and no name was
    ///   given.
    /// Spec: 6.1 Executing Requests, GetOperation
    public init(
        _ document: Document, operationName: String?, schema: ExecutableSchema<Context>
    ) throws(RequestError) {
        operation = try getOperation(document, operationName)
        self.document = document
        self.schema = schema
        fragments = document.fragmentsByName
        (conditionVariables, isIncremental) = GraphQL.conditionVariables(of: operation, fragments: fragments)
    }

    /// Whether variables decide which fields are selected. An operation without conditions has one plan.
    public var hasConditions: Bool { !conditionVariables.isEmpty }

    /// The mask of a request's variables, which identifies the request's plan.
    public func mask(for variables: [String: InputValue]) -> ConditionMask {
        ConditionMask(truths: conditionVariables.map { $0.isTrue(variables) })
    }

    /// Compiles the plan for a mask, which costs about as much as parsing the document.
    ///
    /// - Parameters:
    ///   - mask: a mask from ``mask(for:)``.
    ///   - format: the format of a response in several parts; nil for a response in one part, in which @defer and
    ///     @stream have no effect.
    /// - Throws: `QUERY_TOO_COMPLEX` where the operation is too deep or too large; `OPERATION_RESOLUTION_FAILED` where
    ///   the schema has no root type for it.
    public func plan(
        for mask: ConditionMask, format: IncrementalFormat? = nil
    ) throws(RequestError) -> Plan<Context> {
        guard let rootType = schema.schema.rootType(for: operation.operation) else {
            throw RequestError([
                GraphQLError(
                    "Schema is not configured to execute \(operation.operation.rawValue) operation.",
                    code: .operationResolutionFailed, locations: [document.source.location(of: operation.location)])
            ])
        }
        let collector = collector(for: mask, isIncremental && operation.operation != .subscription ? format : nil)
        var compiler = PlanCompiler(
            bound: schema.bound, source: document.source, operation: operation.operation, collector: collector)
        return Plan(operation: try compiler.compile(rootType, operation.selectionSet), format: collector.format)
    }

    /// The fields of the root type that these variables select, without `__typename`: their names in the schema and
    /// their coerced arguments. They are collected on every call; a plan does not have them.
    ///
    /// - Parameter variables: coerced values by name.
    /// - Throws: an error where a plan or the execution of a field would fail.
    public func selectedRootFields(
        for variables: [String: InputValue]
    ) throws -> [(name: String, arguments: InputObject)] {
        guard let rootType = schema.schema.rootType(for: operation.operation) else { return [] }
        var usages: [DeferUsage] = []
        let fields = try collector(for: mask(for: variables), nil).collectFields(
            rootType, [CollectedSelectionSet(selectionSet: operation.selectionSet, usage: -1)], usages: &usages)
        return try fields.compactMap { group in
            let node = group[0].node
            if node.name.value == "__typename" { return nil }
            guard let (definition, _) = schema.bound.field(named: node.name.value, of: rootType) else {
                throw RequestError([GraphQLError("The document is not valid.", code: .validationFailed)])
            }
            let arguments = try coerceArgumentValues(
                schema.schema, definition.arguments, node.arguments, variables)
            return (definition.name, arguments)
        }
    }

    private func collector(for mask: ConditionMask, _ format: IncrementalFormat?) -> FieldCollector {
        FieldCollector(
            schema: schema.schema, fragments: fragments, conditions: Conditions(conditionVariables, mask),
            format: format, isSubscription: operation.operation == .subscription)
    }
}

/// An operation compiled for one condition mask, bound to resolvers that take a `Context`.
public struct Plan<Context: ExecutionContext>: Sendable {
    let operation: OperationPlan
    /// The format of a response in several parts; nil for a response in one part.
    let format: IncrementalFormat?

    /// Whether the operation is a query, a mutation or a subscription.
    public var operationType: OperationType { operation.operation }

    /// The size of the answer to its introspection; nil where it has none.
    public var introspection: IntrospectionSize? { operation.introspection }
}

/// Spec: 6.1 GetOperation
private func getOperation(_ document: Document, _ operationName: String?) throws(RequestError) -> OperationDefinition {
    var found: OperationDefinition?
    for case .operation(let operation) in document.definitions {
        if let operationName {
            if operation.name?.value == operationName { return operation }
        } else if found == nil {
            found = operation
        } else {
            throw .unresolved("Must provide operation name if query contains multiple operations.")
        }
    }
    if let found { return found }
    throw .unresolved(operationName.map { "Unknown operation named \"\($0)\"." } ?? "Must provide an operation.")
}

extension Document {
    fileprivate var fragmentsByName: [String: FragmentDefinition] {
        var fragments: [String: FragmentDefinition] = [:]
        for case .fragment(let fragment) in definitions where fragments[fragment.name.value] == nil {
            fragments[fragment.name.value] = fragment
        }
        return fragments
    }
}

extension RequestError {
    fileprivate static func unresolved(_ message: String) -> RequestError {
        RequestError([GraphQLError(message, code: .operationResolutionFailed)])
    }
}
