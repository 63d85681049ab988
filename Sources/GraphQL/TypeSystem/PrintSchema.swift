/// The schema as a type-system document in canonical form: its directives, then its types, both in the order of
/// definition, with descriptions and applied directives. Extensions are merged into what they extend. Nothing that is
/// built in is printed.
/// Spec: 3.2 Type System Descriptions, 3.13 Directives
public func printSchema(_ schema: Schema) -> String {
    Document(schema).printed
}

extension Document {
    /// The definitions that the schema could be built from.
    init(_ schema: Schema) {
        var definitions: [Definition] = []
        if let definition = SchemaDefinition(schema) { definitions.append(.schema(definition)) }
        for directive in schema.directives where !BuiltInDefinitions.directiveNames.contains(directive.name) {
            definitions.append(.directive(DirectiveDefinition(directive, of: schema)))
        }
        for type in schema.types where !BuiltInDefinitions.isTypeName(type.name) {
            definitions.append(.type(TypeDefinition(type, of: schema)))
        }
        self.init(source: Source([]), definitions: definitions)
    }
}

extension SchemaDefinition {
    /// nil where the root types, and no other types, have the default names, and the schema has no description and no
    /// directives.
    /// Spec: 3.3.1 Root Operation Types, "Default Root Operation Type Names"
    fileprivate init?(_ schema: Schema) {
        let roots = OperationType.allCases.compactMap { operation in
            schema.rootType(for: operation).map { (operation: operation, name: schema[$0].name) }
        }
        let isDefault =
            roots.allSatisfy { $0.name == $0.operation.defaultRootName }
            && OperationType.allCases.allSatisfy { operation in
                schema.type(named: operation.defaultRootName) == nil || schema.rootType(for: operation) != nil
            }
        if isDefault, schema.description == nil, schema.appliedDirectives.isEmpty { return nil }
        self.init(
            description: StringValue(description: schema.description), directives: schema.appliedDirectives,
            operationTypes: roots.map {
                RootOperationTypeDefinition(operation: $0.operation, type: NamedTypeNode(Name($0.name)))
            })
    }
}

extension OperationType {
    var defaultRootName: String {
        switch self {
        case .query: "Query"
        case .mutation: "Mutation"
        case .subscription: "Subscription"
        }
    }
}

extension DirectiveDefinition {
    fileprivate init(_ directive: DirectiveType, of schema: Schema) {
        self.init(
            description: StringValue(description: directive.description), name: Name(directive.name),
            arguments: directive.arguments.map { InputValueDefinition($0, of: schema) },
            isRepeatable: directive.isRepeatable, locations: directive.locations.map { Name($0.rawValue) })
    }
}

extension TypeDefinition {
    fileprivate init(_ type: NamedType, of schema: Schema) {
        self.init(
            kind: type.definitionKind, description: StringValue(description: type.description),
            name: Name(type.name), directives: type.appliedDirectives)
        fields = type.fields.map { FieldDefinition($0, of: schema) }
        switch type {
        case .scalar: break
        case .object(let object): interfaces = object.interfaces.map { NamedTypeNode(Name(schema[$0].name)) }
        case .interface(let interface): interfaces = interface.interfaces.map { NamedTypeNode(Name(schema[$0].name)) }
        case .union(let union): memberTypes = union.memberTypes.map { NamedTypeNode(Name(schema[$0].name)) }
        case .enumeration(let enumeration): values = enumeration.values.map(EnumValueDefinition.init)
        case .inputObject(let inputObject):
            inputFields = inputObject.fields.map { InputValueDefinition($0, of: schema) }
        }
    }
}

extension FieldDefinition {
    fileprivate init(_ field: FieldType, of schema: Schema) {
        self.init(
            description: StringValue(description: field.description), name: Name(field.name),
            arguments: field.arguments.map { InputValueDefinition($0, of: schema) },
            type: TypeNode(field.type, of: schema), directives: field.directives)
    }
}

extension InputValueDefinition {
    fileprivate init(_ input: InputValueType, of schema: Schema) {
        self.init(
            description: StringValue(description: input.description), name: Name(input.name),
            type: TypeNode(input.type, of: schema), defaultValue: input.defaultLiteral, directives: input.directives)
    }
}

extension EnumValueDefinition {
    fileprivate init(_ value: EnumValue) {
        self.init(
            description: StringValue(description: value.description), name: Name(value.name),
            directives: value.directives)
    }
}

extension TypeNode {
    fileprivate init(_ reference: TypeReference, of schema: Schema) {
        self =
            switch reference {
            case .named(let index): .named(NamedTypeNode(Name(schema[index].name)))
            case .list(let item): .list(TypeNode(item, of: schema), .none)
            case .nonNull(let nullable): .nonNull(TypeNode(nullable, of: schema), .none)
            }
    }
}

extension StringValue {
    /// A description as it is printed: as a block string wherever one can hold the text.
    init?(description: String?) {
        guard let description else { return nil }
        self.init(description, isBlock: Self.fitsBlock(description))
    }

    /// True where a block string with this text reads back as the same text.
    /// Spec: 2.10.4 String Value, BlockStringValue
    private static func fitsBlock(_ text: String) -> Bool {
        let isUnprintable = { (byte: UInt8) in byte < 0x20 && byte != 0x0A && byte != 0x09 }
        if text.utf8.contains(where: isUnprintable) { return false }
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        let isBlank = { (line: String.UTF8View.SubSequence) in line.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
        guard let first = lines.first, let last = lines.last, !isBlank(first), !isBlank(last) else {
            return text.isEmpty
        }
        let isIndented = { (line: String.UTF8View.SubSequence) in line.first == 0x20 || line.first == 0x09 }
        return lines.count == 1 || !lines.filter { !isBlank($0) }.allSatisfy(isIndented)
    }
}
