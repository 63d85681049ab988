import GraphQL
import Synchronization

/// The size of the schema's answer to the standard introspection query. Other introspection is counted in proportion to
/// it, by `QueryMetrics.add`. The size is computed on first use.
final class IntrospectionScale<Context: ExecutionContext>: Sendable {
    private let schema: ExecutableSchema<Context>
    private let size = Mutex<IntrospectionSize?>(nil)

    init(_ schema: ExecutableSchema<Context>) { self.schema = schema }

    var standard: IntrospectionSize {
        size.withLock { size in
            if let size { return size }
            let measured = measure()
            size = measured
            return measured
        }
    }

    /// The query fails only in a schema without the types of introspection, which has no introspection to measure.
    private func measure() -> IntrospectionSize {
        guard let document = try? parse(Source(introspectionQuery)),
            let operation = try? PreparedOperation(document, operationName: nil, schema: schema),
            let plan = try? operation.plan(for: operation.mask(for: [:]))
        else { return IntrospectionSize() }
        return plan.introspection ?? IntrospectionSize()
    }
}
