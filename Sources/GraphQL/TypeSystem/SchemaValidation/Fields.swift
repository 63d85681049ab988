/// Spec: 3.6 Objects, 3.7 Interfaces, "Type Validation"
extension SchemaValidation {
    mutating func checkFields(_ fields: [FieldType], of type: NamedType) {
        if fields.isEmpty {
            report(
                "Type \(type.name) must define one or more fields.",
                at: definitions?.locations(ofType: type.name) ?? [])
        }
        for field in fields {
            let definition = definitions?.field(field.name, of: type.name)
            checkName(field.name, at: definition?.location)
            if schema[field.type.namedType].isInputObject {
                report(
                    "The type of \(type.name).\(field.name) must be Output Type "
                        + "but got: \(schema.notation(of: field.type)).",
                    at: [definition?.type.location])
            }
            for argument in field.arguments {
                let definition = definition?.arguments.first { $0.name.value == argument.name }
                check(
                    argument, at: "\(type.name).\(field.name)(\(argument.name):)", kind: "argument",
                    definition, typeLocation: definition?.type.location)
            }
        }
    }

    /// Checks an argument or input field: its name, its type, and that it is not required if it is deprecated.
    mutating func check(
        _ input: InputValueType, at coordinate: String, kind: String, _ definition: InputValueDefinition?,
        typeLocation: Location?
    ) {
        checkName(input.name, at: definition?.location)
        if !schema[input.type.namedType].isInput {
            report(
                "The type of \(coordinate) must be Input Type but got: \(schema.notation(of: input.type)).",
                at: [typeLocation])
        }
        if input.isRequired, input.deprecationReason != nil {
            report(
                "Required \(kind) \(coordinate) cannot be deprecated.",
                at: [definition?.directives.deprecatedLocation, definition?.type.location])
        }
    }
}

extension [Directive] {
    var deprecatedLocation: Location? { first { $0.name.value == "deprecated" }?.location }
}

extension NamedType {
    fileprivate var isInputObject: Bool { if case .inputObject = self { true } else { false } }
}

extension SchemaDefinitions {
    func field(_ name: String, of type: String) -> FieldDefinition? {
        self.type(named: type)?.fields.first { $0.name.value == name }
    }
}
