/// An operation of a validated document, ready to be planned. The operation and its plans do not depend on a request. A
/// server keeps the operation with the document, and one plan for each mask and format.
public struct PreparedOperation<Context: ExecutionContext>: Sendable {
    /// The document that has the operation.
    public let document: Document
    /// The operation's definition.
    public let operation: OperationDefinition
    private let schema: ExecutableSchema<Context>
    let fragments: [String: FragmentDefinition]
    let conditionVariables: [ConditionVariable]
    /// True where the operation uses @defer or @stream. Without them its response never comes in several parts.
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

    /// True where variables decide which fields are selected, deferred or streamed. An operation without conditions has
    /// one plan for each format.
    public var hasConditions: Bool { !conditionVariables.isEmpty }

    /// The mask of a request's variables, which identifies the request's plan.
    ///
    /// - Parameter variables: the coerced values.
    /// - Throws: `BAD_USER_INPUT` where a condition is null. A nullable variable with a default is allowed there, and a
    ///   request may give null for it.
    /// Spec: 5.8.5 All Variable Usages Are Allowed; 6.4.1 Coercing Field Arguments
    public func mask(for variables: [String: InputValue]) throws(RequestError) -> ConditionMask {
        if conditionVariables.contains(where: { variables[$0.name] == .null }) {
            throw RequestError([
                GraphQLError(
                    "Argument \"if\" of non-null type \"Boolean!\" must not be null.", code: .badUserInput,
                    locations: [document.source.location(of: operation.location)])
            ])
        }
        return ConditionMask(truths: conditionVariables.map { $0.isTrue(variables) })
    }

    /// Compiles the plan for a mask, which costs about as much as parsing the document.
    ///
    /// - Parameters:
    ///   - mask: a mask from ``mask(for:)``.
    ///   - format: the format of a response in several parts; nil for a response in one part, in which @defer and
    ///     @stream have no effect.
    /// - Throws: `QUERY_TOO_COMPLEX` where the operation is too deep or too large; `BAD_USER_INPUT` where it is a
    ///   subscription with an active @defer or @stream; `OPERATION_RESOLUTION_FAILED` where the schema has no root type
    ///   for it.
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
        let collector = FieldCollector(
            schema: schema.schema, fragments: fragments, conditions: Conditions(conditionVariables, mask),
            format: isIncremental && operation.operation != .subscription ? format : nil,
            isSubscription: operation.operation == .subscription)
        var compiler = PlanCompiler(
            bound: schema.bound, source: document.source, operation: operation.operation, collector: collector)
        return Plan(operation: try compiler.compile(rootType, operation.selectionSet), format: collector.format)
    }
}

/// An operation compiled for one condition mask, bound to resolvers that take a `Context`.
public struct Plan<Context: ExecutionContext>: Sendable {
    let operation: OperationPlan
    /// The format of a response in several parts; nil for a response in one part.
    let format: IncrementalFormat?

    /// Query, mutation or subscription.
    public var operationType: OperationType { operation.operation }

    /// The size of the answer to the operation's introspection; nil where the operation has none.
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
