/// The names that definitions refer to as the type of a field, argument or input field.
struct ReferencedNames {
    private(set) var names: Set<String> = []

    init(types: [TypeDefinition], directives: [DirectiveDefinition]) {
        for type in types {
            for field in type.fields {
                names.insert(field.type.namedType.name.value)
                add(field.arguments)
            }
            add(type.inputFields)
            names.formUnion(type.memberTypes.map(\.name.value))
            names.formUnion(type.interfaces.map(\.name.value))
        }
        for directive in directives { add(directive.arguments) }
    }

    private mutating func add(_ inputs: [InputValueDefinition]) {
        for input in inputs { names.insert(input.type.namedType.name.value) }
    }
}

extension TypeNode {
    /// The named type inside all wrappers.
    var namedType: NamedTypeNode {
        switch self {
        case .named(let named): named
        case .list(let type, _), .nonNull(let type, _): type.namedType
        }
    }
}
