/// Spec: 3.6 Objects, "IsValidImplementation"
extension SchemaValidation {
    mutating func checkInterfaces(_ interfaces: [TypeIndex], of type: NamedType, _ index: TypeIndex) {
        var seen: Set<TypeIndex> = []
        for interface in interfaces {
            let name = schema[interface].name
            let places = implementsLocations(name, of: type.name)
            guard case .interface(let interfaceType) = schema[interface] else {
                report(
                    "Type \(type.name) must only implement Interface types, it cannot implement \(name).", at: places)
                continue
            }
            if interface == index {
                report(
                    "Type \(type.name) cannot implement itself because it would create a circular reference.",
                    at: places)
            } else if !seen.insert(interface).inserted {
                report("Type \(type.name) can only implement \(name) once.", at: places)
            } else {
                checkTransitive(interfaceType, interfaces, of: type, index)
                checkImplementation(of: interfaceType, by: type)
            }
        }
    }

    private mutating func checkTransitive(
        _ interface: InterfaceType, _ interfaces: [TypeIndex], of type: NamedType, _ index: TypeIndex
    ) {
        for transitive in interface.interfaces where !interfaces.contains(transitive) {
            let name = schema[transitive].name
            let places =
                implementsLocations(name, of: interface.name) + implementsLocations(interface.name, of: type.name)
            if transitive == index {
                report(
                    "Type \(type.name) cannot implement \(interface.name) "
                        + "because it would create a circular reference.",
                    at: places)
            } else {
                report(
                    "Type \(type.name) must implement \(name) because it is implemented by \(interface.name).",
                    at: places)
            }
        }
    }

    private mutating func checkImplementation(of interface: InterfaceType, by type: NamedType) {
        for expected in interface.fields {
            let place = "\(interface.name).\(expected.name)"
            let expectedDefinition = definitions?.field(expected.name, of: interface.name)
            guard let field = type.field(named: expected.name) else {
                report(
                    "Interface field \(place) expected but \(type.name) does not provide it.",
                    at: [expectedDefinition?.location] + (definitions?.locations(ofType: type.name) ?? []))
                continue
            }
            let definition = definitions?.field(field.name, of: type.name)
            if !schema.isSubtype(field.type, of: expected.type) {
                report(
                    "Interface field \(place) expects type \(schema.notation(of: expected.type)) but "
                        + "\(type.name).\(field.name) is type \(schema.notation(of: field.type)).",
                    at: [expectedDefinition?.type.location, definition?.type.location])
            }
            checkArguments(of: field, definition, in: type, expected, expectedDefinition, in: interface)
            if field.deprecationReason != nil, expected.deprecationReason == nil {
                report(
                    "Interface field \(place) is not deprecated, so implementation field "
                        + "\(type.name).\(field.name) must not be deprecated.",
                    at: [definition?.directives.deprecatedLocation, definition?.type.location])
            }
        }
    }

    private mutating func checkArguments(
        of field: FieldType, _ definition: FieldDefinition?, in type: NamedType,
        _ expectedField: FieldType, _ expectedDefinition: FieldDefinition?, in interface: InterfaceType
    ) {
        let place = "\(interface.name).\(expectedField.name)"
        for expected in expectedField.arguments {
            let expectedNode = expectedDefinition?.arguments.first { $0.name.value == expected.name }
            guard let argument = field.argument(named: expected.name) else {
                report(
                    "Interface field argument \(place)(\(expected.name):) expected but \(type.name).\(field.name) "
                        + "does not provide it.",
                    at: [expectedNode?.location, definition?.location])
                continue
            }
            if argument.type != expected.type {
                let node = definition?.arguments.first { $0.name.value == expected.name }
                report(
                    "Interface field argument \(place)(\(expected.name):) expects type "
                        + "\(schema.notation(of: expected.type)) but \(type.name).\(field.name)(\(expected.name):) "
                        + "is type \(schema.notation(of: argument.type)).",
                    at: [expectedNode?.type.location, node?.type.location])
            }
        }
        for argument in field.arguments
        where argument.isRequired && expectedField.argument(named: argument.name) == nil {
            report(
                "Object field \(type.name).\(field.name) includes required argument \(argument.name) "
                    + "that is missing from the Interface field \(place).",
                at: [
                    definition?.arguments.first { $0.name.value == argument.name }?.location,
                    expectedDefinition?.location,
                ])
        }
    }

    private func implementsLocations(_ interface: String, of type: String) -> [Location?] {
        definitions?.type(named: type)?.interfaces.filter { $0.name.value == interface }.map(\.location) ?? []
    }
}
