/// Spec: 3.6 Objects, 3.7 Interfaces, 3.10 Input Objects, "… field must have a unique name within that …"
struct UniqueFieldDefinitionNames: SDLRule {
    private var defined: [String: [String: Location]] = [:]

    init(_ context: SDLValidationContext) {}

    mutating func enter(_ type: TypeDefinition, isExtension: Bool, _ context: inout SDLValidationContext) {
        let typeName = type.name.value
        for field in type.fields.map(\.name) + type.inputFields.map(\.name) {
            let name = field.value
            if context.schema?.type(named: typeName)?.hasField(named: name) == true {
                context.report(
                    "Field \"\(typeName).\(name)\" already exists in the schema. "
                        + "It cannot also be defined in this type extension.",
                    at: field.location)
            } else if let first = defined[typeName]?[name] {
                context.report("Field \"\(typeName).\(name)\" can only be defined once.", at: first, field.location)
            } else {
                defined[typeName, default: [:]][name] = field.location
            }
        }
    }
}

extension NamedType {
    fileprivate func hasField(named name: String) -> Bool {
        if case .inputObject(let type) = self { type.field(named: name) != nil } else { field(named: name) != nil }
    }
}
