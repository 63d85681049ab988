/// Spec: 3.9 Enums, "An Enum type must define one or more unique enum values"
struct UniqueEnumValueNames: SDLRule {
    private var defined: [String: [String: Location]] = [:]

    init(_ context: SDLValidationContext) {}

    mutating func enter(_ type: TypeDefinition, isExtension: Bool, _ context: inout SDLValidationContext) {
        let typeName = type.name.value
        for value in type.values {
            let name = value.name.value
            if case .enumeration(let existing) = context.schema?.type(named: typeName),
                existing.value(named: name) != nil
            {
                context.report(
                    "Enum value \"\(typeName).\(name)\" already exists in the schema. "
                        + "It cannot also be defined in this type extension.",
                    at: value.name.location)
            } else if let first = defined[typeName]?[name] {
                context.report(
                    "Enum value \"\(typeName).\(name)\" can only be defined once.", at: first, value.name.location)
            } else {
                defined[typeName, default: [:]][name] = value.name.location
            }
        }
    }
}
