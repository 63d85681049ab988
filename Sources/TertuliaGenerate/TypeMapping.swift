import GraphQL

/// The Swift types of a schema's leaves, and of references to them.
struct TypeMapping {
    let schema: Schema
    /// Swift types of custom scalars, by name, as the caller's options give them.
    let scalars: [String: String]
    let names: TypeNames

    func leaf(_ type: TypeIndex) -> String {
        switch schema[type] {
        case .scalar(let scalar): self.scalar(scalar)
        case .enumeration, .inputObject, .object, .interface, .union:
            SwiftName.written(names.schemaType(schema[type].name))
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

    /// The specifications whose scalars have a type of their own, by the start of their address.
    private static let specifications = [
        (address: "https://scalars.graphql.org/andimarek/date-time", type: "Date"),
        (address: "https://github.com/jaydenseric/graphql-multipart-request-spec", type: "UploadFile"),
    ]

    /// The Swift type of a reference, where `named` is that of the type inside all wrappers.
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

    /// The reference with those levels non-null that `@semanticNonNull(levels:)` names, the field itself by default.
    /// Source: the RFC for semantic nullability
    func semanticType(of field: FieldType) -> TypeReference {
        guard schema.directive(named: "semanticNonNull") != nil,
            let applied = field.directives.first(where: { $0.name.value == "semanticNonNull" })
        else { return field.type }
        var levels = [0]
        if let argument = applied.arguments.first(where: { $0.name.value == "levels" }),
            case .list(let values) = argument.value.kind
        {
            levels = values.compactMap { if case .int(let digits) = $0.kind { Int(digits) } else { nil } }
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
