/// A schema is defined once; a document that adds to a schema extends its definition.
/// Spec: 3.3 Schema
struct LoneSchemaDefinition: SDLRule {
    private var isFirst = true

    init(_ context: SDLValidationContext) {}

    mutating func enter(_ schema: SchemaDefinition, isExtension: Bool, _ context: inout SDLValidationContext) {
        if isExtension { return }
        if OperationType.allCases.contains(where: { context.schema?.rootType(for: $0) != nil }) {
            context.report("Cannot define a new schema within a schema extension.", at: schema.location)
        } else if !isFirst {
            context.report("Must provide only one schema definition.", at: schema.location)
        }
        isFirst = false
    }
}
