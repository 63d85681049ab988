/// A field of the query type that the engine resolves itself: `__schema` or `__type`.
struct BoundRootField: Sendable {
    let definition: FieldType
    let resolver: FieldResolver
}

extension BoundRootField {
    /// The resolver does not read its parent, the `Root`.
    init<Output: FieldOutput, Context: ExecutionContext>(
        _ definition: FieldType, _ resolve: @escaping @Sendable (FieldContext<Context>) throws -> Output
    ) {
        self.definition = definition
        resolver = FieldResolver(
            name: definition.name, shape: Output.outputShape, takes: .viewer,
            resolution: .value(
                { _, _, context, json in
                    try resolve(unsafeDowncast(context, to: FieldContext<Context>.self)).writeOutput(to: &json)
                },
                { _, rows, context in
                    let context = unsafeDowncast(context, to: FieldContext<Context>.self)
                    return Output.completeRows(rows) { _ in try resolve(context) }
                }))
    }
}
