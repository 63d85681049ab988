extension Parser {
    /// TypeSystemDefinition :
    ///   - SchemaDefinition
    ///   - TypeDefinition
    ///   - DirectiveDefinition
    ///
    /// nil if the current name starts none of them.
    mutating func parseTypeSystemDefinition(
        _ location: Location, _ description: StringValue?
    ) throws(GraphQLError) -> Definition? {
        if try skipKeyword("schema") { return .schema(try parseSchemaDefinition(location, description)) }
        if try skipKeyword("directive") { return .directive(try parseDirectiveDefinition(location, description)) }
        guard let kind = try parseTypeKind() else { return nil }
        return .type(try parseTypeDefinition(kind, location, description))
    }

    /// TypeSystemExtension :
    ///   - SchemaExtension
    ///   - TypeExtension
    mutating func parseTypeSystemExtension() throws(GraphQLError) -> Definition {
        let location = location
        try expectKeyword("extend")
        if try skipKeyword("schema") { return .schemaExtension(try parseSchemaExtension(location)) }
        guard let kind = try parseTypeKind() else { throw unexpected() }
        let definition = try parseTypeDefinition(kind, location, nil)
        let isEmpty =
            definition.directives.isEmpty && definition.interfaces.isEmpty && definition.fields.isEmpty
            && definition.memberTypes.isEmpty && definition.values.isEmpty && definition.inputFields.isEmpty
        if isEmpty { throw unexpected() }
        return .typeExtension(definition)
    }

    /// SchemaDefinition : Description? `schema` Directives[Const]? `{` RootOperationTypeDefinition+ `}`
    private mutating func parseSchemaDefinition(
        _ location: Location, _ description: StringValue?
    ) throws(GraphQLError) -> SchemaDefinition {
        let directives = try parseDirectives(isConst: true)
        let operationTypes = try many(.braceLeft, .braceRight) { parser throws(GraphQLError) in
            try parser.parseRootOperationTypeDefinition()
        }
        return SchemaDefinition(
            location: location, description: description, directives: directives, operationTypes: operationTypes)
    }

    /// SchemaExtension :
    ///   - `extend` `schema` Directives[Const]? `{` RootOperationTypeDefinition+ `}`
    ///   - `extend` `schema` Directives[Const]
    private mutating func parseSchemaExtension(_ location: Location) throws(GraphQLError) -> SchemaDefinition {
        let directives = try parseDirectives(isConst: true)
        let operationTypes = try optionalMany(.braceLeft, .braceRight) { parser throws(GraphQLError) in
            try parser.parseRootOperationTypeDefinition()
        }
        if directives.isEmpty, operationTypes.isEmpty { throw unexpected() }
        return SchemaDefinition(location: location, directives: directives, operationTypes: operationTypes)
    }

    /// RootOperationTypeDefinition : OperationType `:` NamedType
    private mutating func parseRootOperationTypeDefinition() throws(GraphQLError) -> RootOperationTypeDefinition {
        let location = location
        let operation = try parseOperationType()
        try expect(.colon)
        return RootOperationTypeDefinition(location: location, operation: operation, type: try parseNamedType())
    }

    private mutating func parseTypeKind() throws(GraphQLError) -> TypeDefinition.Kind? {
        if try skipKeyword("type") { return .object }
        if try skipKeyword("input") { return .inputObject }
        if try skipKeyword("enum") { return .enumeration }
        if try skipKeyword("interface") { return .interface }
        if try skipKeyword("union") { return .union }
        if try skipKeyword("scalar") { return .scalar }
        return nil
    }

    /// ScalarTypeDefinition : Description? `scalar` Name Directives[Const]?
    ///
    /// ObjectTypeDefinition : Description? `type` Name ImplementsInterfaces? Directives[Const]? FieldsDefinition?
    ///
    /// InterfaceTypeDefinition :
    ///   Description? `interface` Name ImplementsInterfaces? Directives[Const]? FieldsDefinition?
    ///
    /// UnionTypeDefinition : Description? `union` Name Directives[Const]? UnionMemberTypes?
    ///
    /// EnumTypeDefinition : Description? `enum` Name Directives[Const]? EnumValuesDefinition?
    ///
    /// InputObjectTypeDefinition : Description? `input` Name Directives[Const]? InputFieldsDefinition?
    private mutating func parseTypeDefinition(
        _ kind: TypeDefinition.Kind, _ location: Location, _ description: StringValue?
    ) throws(GraphQLError) -> TypeDefinition {
        let name = try parseName()
        let hasFields = kind == .object || kind == .interface
        let interfaces = hasFields ? try parseImplementsInterfaces() : []
        var definition = TypeDefinition(
            kind: kind, location: location, description: description, name: name,
            directives: try parseDirectives(isConst: true))
        definition.interfaces = interfaces
        switch kind {
        case .scalar: break
        case .object, .interface: definition.fields = try parseFieldsDefinition()
        case .union: definition.memberTypes = try parseUnionMemberTypes()
        case .enumeration: definition.values = try parseEnumValuesDefinition()
        case .inputObject:
            definition.inputFields = try parseInputValueDefinitions(.braceLeft, .braceRight)
        }
        return definition
    }

    /// ImplementsInterfaces :
    ///   - ImplementsInterfaces `&` NamedType
    ///   - `implements` `&`? NamedType
    private mutating func parseImplementsInterfaces() throws(GraphQLError) -> [NamedTypeNode] {
        guard try skipKeyword("implements") else { return [] }
        return try delimitedMany(.ampersand) { parser throws(GraphQLError) in try parser.parseNamedType() }
    }

    /// FieldsDefinition : `{` FieldDefinition+ `}`
    private mutating func parseFieldsDefinition() throws(GraphQLError) -> [FieldDefinition] {
        try optionalMany(.braceLeft, .braceRight) { parser throws(GraphQLError) in try parser.parseFieldDefinition() }
    }

    /// FieldDefinition : Description? Name ArgumentsDefinition? `:` Type Directives[Const]?
    private mutating func parseFieldDefinition() throws(GraphQLError) -> FieldDefinition {
        let location = location
        let description = peekDescription ? try parseStringValue() : nil
        let name = try parseName()
        let arguments = try parseInputValueDefinitions(.parenLeft, .parenRight)
        try expect(.colon)
        let type = try parseTypeReference()
        return FieldDefinition(
            location: location, description: description, name: name, arguments: arguments, type: type,
            directives: try parseDirectives(isConst: true))
    }

    /// ArgumentsDefinition : `(` InputValueDefinition+ `)`
    ///
    /// InputFieldsDefinition : `{` InputValueDefinition+ `}`
    private mutating func parseInputValueDefinitions(
        _ open: TokenKind, _ close: TokenKind
    ) throws(GraphQLError) -> [InputValueDefinition] {
        try optionalMany(open, close) { parser throws(GraphQLError) in try parser.parseInputValueDefinition() }
    }

    /// InputValueDefinition : Description? Name `:` Type DefaultValue? Directives[Const]?
    private mutating func parseInputValueDefinition() throws(GraphQLError) -> InputValueDefinition {
        let location = location
        let description = peekDescription ? try parseStringValue() : nil
        let name = try parseName()
        try expect(.colon)
        let type = try parseTypeReference()
        let defaultValue = try skip(.equals) ? try parseValueLiteral(isConst: true) : nil
        return InputValueDefinition(
            location: location, description: description, name: name, type: type, defaultValue: defaultValue,
            directives: try parseDirectives(isConst: true))
    }

    /// UnionMemberTypes :
    ///   - UnionMemberTypes `|` NamedType
    ///   - `=` `|`? NamedType
    private mutating func parseUnionMemberTypes() throws(GraphQLError) -> [NamedTypeNode] {
        guard try skip(.equals) else { return [] }
        return try delimitedMany(.pipe) { parser throws(GraphQLError) in try parser.parseNamedType() }
    }

    /// EnumValuesDefinition : `{` EnumValueDefinition+ `}`
    private mutating func parseEnumValuesDefinition() throws(GraphQLError) -> [EnumValueDefinition] {
        try optionalMany(.braceLeft, .braceRight) { parser throws(GraphQLError) in
            try parser.parseEnumValueDefinition()
        }
    }

    /// EnumValueDefinition : Description? EnumValue Directives[Const]?
    private mutating func parseEnumValueDefinition() throws(GraphQLError) -> EnumValueDefinition {
        let location = location
        let description = peekDescription ? try parseStringValue() : nil
        if lexer.isName("true") || lexer.isName("false") || lexer.isName("null") {
            let message = "\(lexer.tokenDescription) is reserved and cannot be used for an enum value."
            throw syntaxError(message, at: self.location)
        }
        let name = try parseName()
        return EnumValueDefinition(
            location: location, description: description, name: name, directives: try parseDirectives(isConst: true))
    }

    /// DirectiveDefinition :
    ///   Description? `directive` `@` Name ArgumentsDefinition? `repeatable`? `on` DirectiveLocations
    private mutating func parseDirectiveDefinition(
        _ location: Location, _ description: StringValue?
    ) throws(GraphQLError) -> DirectiveDefinition {
        try expect(.at)
        let name = try parseName()
        let arguments = try parseInputValueDefinitions(.parenLeft, .parenRight)
        let isRepeatable = try skipKeyword("repeatable")
        try expectKeyword("on")
        let locations = try delimitedMany(.pipe) { parser throws(GraphQLError) in
            try parser.parseDirectiveLocation()
        }
        return DirectiveDefinition(
            location: location, description: description, name: name, arguments: arguments,
            isRepeatable: isRepeatable, locations: locations)
    }

    /// DirectiveLocation :
    ///   - ExecutableDirectiveLocation
    ///   - TypeSystemDirectiveLocation
    private mutating func parseDirectiveLocation() throws(GraphQLError) -> Name {
        if peek(.name), DirectiveLocation(rawValue: lexer.text) == nil { throw unexpected() }
        return try parseName()
    }
}
