/// An operation of a validated document, ready to be planned. Keep it, and its plans by mask, for as long as the
/// document is kept: both are independent of the request.
public struct PreparedOperation<Context: ExecutionContext>: Sendable {
    public let document: Document
    public let operation: OperationDefinition
    private let schema: ExecutableSchema<Context>
    let fragments: [String: FragmentDefinition]
    let conditionVariables: [ConditionVariable]
    /// Whether there is an @defer or @stream: else a response never comes in several parts.
    public let isIncremental: Bool

    /// Throws a request error where the document has no such operation, or several and no name was given.
    /// Spec: 6.1 Executing Requests, GetOperation
    public init(
        _ document: Document, operationName: String?, schema: ExecutableSchema<Context>
    ) throws(RequestError) {
        operation = try document.operation(named: operationName)
        self.document = document
        self.schema = schema
        fragments = document.fragmentsByName
        (conditionVariables, isIncremental) = GraphQL.conditionVariables(of: operation, fragments: fragments)
    }

    /// Whether variables decide what is selected; without conditions there is one plan.
    public var hasConditions: Bool { !conditionVariables.isEmpty }

    /// Which plan a request takes. Most operations have no conditions, and so one plan.
    public func mask(for variables: [String: InputValue]) -> ConditionMask {
        ConditionMask(truths: conditionVariables.map { $0.isTrue(variables) })
    }

    /// Compiles the plan for a mask, which costs about as much as parsing the document.
    /// Throws a request error where the operation is too deep or too large.
    /// - Parameter format: nil where the response is to come in one piece, whatever @defer and @stream say.
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
    /// How the response is written where it comes in several parts.
    let format: IncrementalFormat?

    public var operationType: OperationType { operation.operation }

    /// How large its introspection's answer is; nil where it has none.
    public var introspection: IntrospectionFigures? { operation.introspection }
}

extension Document {
    fileprivate func operation(named name: String?) throws(RequestError) -> OperationDefinition {
        var found: OperationDefinition?
        for case .operation(let operation) in definitions {
            if let name {
                if operation.name?.value == name { return operation }
            } else if found == nil {
                found = operation
            } else {
                throw .unresolved("Must provide operation name if query contains multiple operations.")
            }
        }
        if let found { return found }
        throw .unresolved(name.map { "Unknown operation named \"\($0)\"." } ?? "Must provide an operation.")
    }

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
