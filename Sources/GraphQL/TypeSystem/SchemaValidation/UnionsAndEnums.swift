extension SchemaValidation {
    /// Spec: 3.8 Unions, "Type Validation"
    mutating func checkMembers(of union: UnionType) {
        if union.memberTypes.isEmpty {
            report(
                "Union type \(union.name) must define one or more member types.",
                at: definitions?.locations(ofType: union.name) ?? [])
        }
        var seen: Set<TypeIndex> = []
        for member in union.memberTypes {
            let name = schema[member].name
            let nodes = definitions?.type(named: union.name)?.memberTypes.filter { $0.name.value == name } ?? []
            if !seen.insert(member).inserted {
                report("Union type \(union.name) can only include type \(name) once.", at: nodes.map(\.location))
            } else if case .object = schema[member] {
                continue
            } else {
                report(
                    "Union type \(union.name) can only include Object types, it cannot include \(name).",
                    at: nodes.map(\.location))
            }
        }
    }

    /// Spec: 3.9 Enums, "Type Validation"
    mutating func checkValues(of enumeration: EnumType) {
        if enumeration.values.isEmpty {
            report(
                "Enum type \(enumeration.name) must define one or more values.",
                at: definitions?.locations(ofType: enumeration.name) ?? [])
        }
        let definition = definitions?.type(named: enumeration.name)
        for value in enumeration.values {
            checkName(value.name, at: definition?.values.first { $0.name.value == value.name }?.location)
        }
    }
}
