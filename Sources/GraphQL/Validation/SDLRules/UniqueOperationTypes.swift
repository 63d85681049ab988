/// Each operation has one root type.
/// Spec: 3.3.1 Root Operation Types
struct UniqueOperationTypes: SDLRule {
    private var defined: [OperationType: Location] = [:]

    init(_ context: SDLValidationContext) {}

    mutating func enter(_ schema: SchemaDefinition, isExtension: Bool, _ context: inout SDLValidationContext) {
        for root in schema.operationTypes {
            if context.schema?.rootType(for: root.operation) != nil {
                context.report(
                    "Type for \(root.operation) already defined in the schema. It cannot be redefined.",
                    at: root.location)
            } else if let first = defined[root.operation] {
                context.report("There can be only one \(root.operation) type in schema.", at: first, root.location)
            } else {
                defined[root.operation] = root.location
            }
        }
    }
}
