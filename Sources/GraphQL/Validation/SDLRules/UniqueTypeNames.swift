/// Spec: 3.3 Schema, "All types within a GraphQL schema must have unique names"
struct UniqueTypeNames: SDLRule {
    private var defined: [String: Location] = [:]

    init(_ context: SDLValidationContext) {}

    mutating func enter(_ type: TypeDefinition, isExtension: Bool, _ context: inout SDLValidationContext) {
        if isExtension { return }
        let name = type.name.value
        if context.schema?.type(named: name) != nil {
            context.report(
                "Type \"\(name)\" already exists in the schema. It cannot also be defined in this type definition.",
                at: type.name.location)
        } else if let first = defined[name] {
            context.report("There can be only one type named \"\(name)\".", at: first, type.name.location)
        } else {
            defined[name] = type.name.location
        }
    }
}
