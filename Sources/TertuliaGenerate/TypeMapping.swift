import GraphQL

/// The Swift types of a schema's scalars, and of references to any type. Enums and input objects keep their names.
struct TypeMapping {
    let schema: Schema
    /// Swift types of custom scalars, by name, as the caller's options give them.
    let scalars: [String: String]

    func leaf(_ type: TypeIndex) -> String {
        switch schema[type] {
        case .scalar(let scalar): self.scalar(scalar)
        case .enumeration, .inputObject, .object, .interface, .union: schema[type].name
        }
    }

    private func scalar(_ scalar: ScalarType) -> String {
        if let given = scalars[scalar.name] { return given }
        switch scalar.name {
        case "ID", "String": return "String"
        case "Int": return "Int"
        case "Float": return "Double"
        case "Boolean": return "Bool"
        default: break
        }
        guard let address = scalar.specifiedByURL else { return "JSONValue" }
        return Self.specifications.first { address.hasPrefix($0.address) }?.type ?? "JSONValue"
    }

    /// The Swift types of scalars whose specification is known. A scalar has the type if the URL of its `@specifiedBy`
    /// begins with `address`.
    private static let specifications = [
        (address: "https://scalars.graphql.org/andimarek/date-time", type: "Date"),
        (address: "https://github.com/jaydenseric/graphql-multipart-request-spec", type: "UploadFile"),
    ]

    /// The Swift type of a reference. `named` is the Swift type of the type inside all its wrappers.
    func type(_ reference: TypeReference, named: String) -> String {
        switch reference {
        case .nonNull(let type): plain(type, named)
        case .named, .list: plain(reference, named) + "?"
        }
    }

    private func plain(_ reference: TypeReference, _ named: String) -> String {
        switch reference {
        case .nonNull(let type): plain(type, named)
        case .named: named
        case .list(let item): "[\(type(item, named: named))]"
        }
    }

    /// The type of a field, made non-null at the levels that `@semanticNonNull(levels:)` names. Level 0 is the field
    /// itself, and the default. Level 1 is the items of its list.
    /// Source: the RFC for semantic nullability
    func semanticType(of field: FieldType) -> TypeReference {
        guard schema.directive(named: "semanticNonNull") != nil,
            let applied = field.directives.first(where: { $0.name.value == "semanticNonNull" })
        else { return field.type }
        var levels = [0]
        if let argument = applied.arguments.first(where: { $0.name.value == "levels" }) {
            switch argument.value.kind {
            case .list(let values):
                levels = values.compactMap { if case .int(let digits) = $0.kind { Int(digits) } else { nil } }
            // Spec: 3.11 List, Input Coercion: a value that is no list stands for a list of this value.
            case .int(let digits): levels = [Int(digits)].compactMap(\.self)
            default: break
            }
        }
        return nonNull(field.type, at: levels, level: 0)
    }

    private func nonNull(_ reference: TypeReference, at levels: [Int], level: Int) -> TypeReference {
        let inner: TypeReference
        switch reference.nullable {
        case .list(let item): inner = .list(nonNull(item, at: levels, level: level + 1))
        case .named, .nonNull: inner = reference.nullable
        }
        return reference.isNonNull || levels.contains(level) ? .nonNull(inner) : inner
    }
}
