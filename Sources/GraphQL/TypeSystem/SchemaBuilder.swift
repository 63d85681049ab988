/// Builds a `Schema` from merged definitions, in their order. Each name is resolved to a type index.
struct SchemaBuilder {
    /// Coerces the default of an argument or input field; nil while there is no schema yet to coerce against, and for a
    /// default that does not fit.
    typealias DefaultCoercion = (TypeReference, Value) -> InputValue?

    private let definitions: SchemaDefinitions
    private let scalars: [String: ScalarCoercion]
    private let directives: [DirectiveDefinition]
    private let types: [TypeDefinition]
    private let indices: [String: TypeIndex]

    init(_ definitions: SchemaDefinitions, builtIn: SchemaDefinitions, scalars: [String: ScalarCoercion]) {
        self.definitions = definitions
        self.scalars = scalars.merging(BuiltInDefinitions.scalars) { _, builtIn in builtIn }
        let own = definitions.types.filter { !BuiltInDefinitions.isTypeName($0.name.value) }
        let used = ReferencedNames(types: builtIn.types + own, directives: definitions.directives + builtIn.directives)
        let builtInScalars = BuiltInDefinitions.scalarNames.filter(used.names.contains).map {
            TypeDefinition(kind: .scalar, name: Name($0))
        }
        let types = builtInScalars + builtIn.types + own
        self.types = types
        directives =
            builtIn.directives.filter { definitions.directive(named: $0.name.value) == nil } + definitions.directives
        indices = Dictionary(
            types.indices.map { (types[$0].name.value, TypeIndex($0)) }, uniquingKeysWith: { first, _ in first })
    }

    func schema(coercingDefaults coerce: DefaultCoercion = { _, _ in nil }) throws(RequestError) -> Schema {
        var named: [NamedType] = []
        for type in types { named.append(try build(type, coerce)) }
        var directiveTypes: [DirectiveType] = []
        for directive in directives { directiveTypes.append(try build(directive, coerce)) }
        return Schema(
            description: definitions.schema?.description?.value, types: named, directives: directiveTypes,
            queryType: try rootType(.query) ?? .undefined, mutationType: try rootType(.mutation),
            subscriptionType: try rootType(.subscription),
            appliedDirectives: definitions.schema?.directives ?? [])
    }

    /// Spec: 3.3.1 Root Operation Types, "Default Root Operation Type Names"
    private func rootType(_ operation: OperationType) throws(RequestError) -> TypeIndex? {
        if let root = definitions.schema?.operationTypes.first(where: { $0.operation == operation }) {
            return try index(of: root.type)
        }
        return definitions.schemaLocation == nil ? indices[operation.defaultRootName] : nil
    }

    private func index(of node: NamedTypeNode) throws(RequestError) -> TypeIndex {
        if let index = indices[node.name.value] { return index }
        throw RequestError([
            GraphQLError(
                "Unknown type: \"\(node.name.value)\".", locations: [definitions.source.location(of: node.location)])
        ])
    }

    private func reference(_ node: TypeNode) throws(RequestError) -> TypeReference {
        switch node {
        case .named(let named): .named(try index(of: named))
        case .list(let item, _): .list(try reference(item))
        case .nonNull(let nullable, _): .nonNull(try reference(nullable))
        }
    }

    private func build(_ type: TypeDefinition, _ coerce: DefaultCoercion) throws(RequestError) -> NamedType {
        let name = type.name.value
        let description = type.description?.value
        switch type.kind {
        case .scalar:
            return .scalar(
                ScalarType(
                    name: name, description: description, specifiedByURL: type.directives.specifiedByURL,
                    directives: type.directives, coercion: scalars[name] ?? .any))
        case .object:
            return .object(
                ObjectType(
                    name: name, description: description, interfaces: try type.interfaces.map(index(of:)),
                    fields: try type.fields.map { (field) throws(RequestError) in try build(field, coerce) },
                    directives: type.directives))
        case .interface:
            return .interface(
                InterfaceType(
                    name: name, description: description, interfaces: try type.interfaces.map(index(of:)),
                    fields: try type.fields.map { (field) throws(RequestError) in try build(field, coerce) },
                    directives: type.directives))
        case .union:
            return .union(
                UnionType(
                    name: name, description: description, memberTypes: try type.memberTypes.map(index(of:)),
                    directives: type.directives))
        case .enumeration:
            return .enumeration(
                EnumType(
                    name: name, description: description, values: type.values.map(EnumValue.init),
                    directives: type.directives))
        case .inputObject:
            return .inputObject(
                InputObjectType(
                    name: name, description: description,
                    isOneOf: type.directives.contains { $0.name.value == "oneOf" },
                    fields: try type.inputFields.map { (field) throws(RequestError) in try build(field, coerce) },
                    directives: type.directives))
        }
    }

    private func build(_ field: FieldDefinition, _ coerce: DefaultCoercion) throws(RequestError) -> FieldType {
        FieldType(
            name: field.name.value, description: field.description?.value,
            arguments: try field.arguments.map { (argument) throws(RequestError) in try build(argument, coerce) },
            type: try reference(field.type), deprecationReason: field.directives.deprecationReason,
            directives: field.directives)
    }

    private func build(_ input: InputValueDefinition, _ coerce: DefaultCoercion) throws(RequestError) -> InputValueType
    {
        let type = try reference(input.type)
        return InputValueType(
            name: input.name.value, description: input.description?.value, type: type,
            defaultLiteral: input.defaultValue, defaultValue: input.defaultValue.flatMap { coerce(type, $0) },
            deprecationReason: input.directives.deprecationReason, directives: input.directives)
    }

    private func build(
        _ directive: DirectiveDefinition, _ coerce: DefaultCoercion
    ) throws(RequestError) -> DirectiveType {
        DirectiveType(
            name: directive.name.value, description: directive.description?.value,
            locations: directive.locations.compactMap { DirectiveLocation(rawValue: $0.value) },
            arguments: try directive.arguments.map { (argument) throws(RequestError) in try build(argument, coerce) },
            isRepeatable: directive.isRepeatable)
    }
}

extension EnumValue {
    fileprivate convenience init(_ value: EnumValueDefinition) {
        self.init(
            name: value.name.value, description: value.description?.value,
            deprecationReason: value.directives.deprecationReason, directives: value.directives)
    }
}

/// The names of types that definitions refer to.
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

extension [Directive] {
    /// Spec: 3.13.3 @deprecated
    var deprecationReason: String? {
        guard let deprecated = first(where: { $0.name.value == "deprecated" }) else { return nil }
        return deprecated.string(named: "reason") ?? "No longer supported"
    }

    /// Spec: 3.13.4 @specifiedBy
    var specifiedByURL: String? {
        first { $0.name.value == "specifiedBy" }?.string(named: "url")
    }

    /// True where `@sensitive` is among these directives. The specification does not define `@sensitive`, so a schema
    /// that uses it does.
    var isSensitive: Bool { contains { $0.name.value == "sensitive" } }
}

extension Directive {
    fileprivate func string(named name: String) -> String? {
        guard let argument = arguments.first(where: { $0.name.value == name }) else { return nil }
        if case .string(let string) = argument.value.kind { return string.value }
        return nil
    }
}
