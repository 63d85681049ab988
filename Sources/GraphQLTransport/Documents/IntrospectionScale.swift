import GraphQL
import Synchronization

/// How large the schema's answer to the standard introspection query is, by which all introspection is measured: worked
/// out when somebody introspects.
final class IntrospectionScale<Context: ExecutionContext>: Sendable {
    private let schema: ExecutableSchema<Context>
    private let figures = Mutex<IntrospectionFigures?>(nil)

    init(_ schema: ExecutableSchema<Context>) { self.schema = schema }

    var standard: IntrospectionFigures {
        figures.withLock { figures in
            if let figures { return figures }
            let measured = measure()
            figures = measured
            return measured
        }
    }

    /// The query is valid in every schema that has introspection's types; another has no introspection to measure.
    private func measure() -> IntrospectionFigures {
        guard let document = try? parse(Source(introspectionQuery)),
            let operation = try? PreparedOperation(document, operationName: nil, schema: schema),
            let plan = try? operation.plan(for: operation.mask(for: [:]))
        else { return IntrospectionFigures() }
        return plan.introspection ?? IntrospectionFigures()
    }
}
