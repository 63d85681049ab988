extension Parser {
    /// Document : Definition+
    mutating func parseDocument() throws(GraphQLError) -> [Definition] {
        var definitions: [Definition] = []
        repeat { definitions.append(try parseDefinition()) } while !peek(.endOfFile)
        return definitions
    }

    /// Definition :
    ///   - ExecutableDefinition
    ///   - TypeSystemDefinitionOrExtension
    private mutating func parseDefinition() throws(GraphQLError) -> Definition {
        let location = location
        if peek(.braceLeft) { return .operation(try parseAnonymousQuery()) }
        let description = peekDescription ? try parseStringValue() : nil
        guard peek(.name) else {
            if description != nil, peek(.braceLeft) {
                throw syntaxError(
                    "Unexpected description, descriptions are not supported on shorthand queries.", at: location)
            }
            throw unexpected()
        }
        if lexer.isName("query") || lexer.isName("mutation") || lexer.isName("subscription") {
            return .operation(try parseOperationDefinition(location, description))
        }
        if lexer.isName("fragment") { return .fragment(try parseFragmentDefinition(location, description)) }
        if let definition = try parseTypeSystemDefinition(location, description) { return definition }
        if description != nil {
            throw syntaxError(
                "Unexpected description, descriptions are supported only on type definitions.", at: location)
        }
        guard lexer.isName("extend") else { throw unexpected() }
        return try parseTypeSystemExtension()
    }

    private mutating func parseAnonymousQuery() throws(GraphQLError) -> OperationDefinition {
        OperationDefinition(location: location, operation: .query, selectionSet: try parseSelectionSet())
    }

    /// OperationDefinition :
    ///   - Description? OperationType Name? VariablesDefinition? Directives? SelectionSet
    ///   - SelectionSet
    private mutating func parseOperationDefinition(
        _ location: Location, _ description: StringValue?
    ) throws(GraphQLError) -> OperationDefinition {
        let operation = try parseOperationType()
        let name = peek(.name) ? try parseName() : nil
        let variableDefinitions = try parseVariableDefinitions()
        let directives = try parseDirectives(isConst: false)
        return OperationDefinition(
            location: location, description: description, operation: operation, name: name,
            variableDefinitions: variableDefinitions, directives: directives, selectionSet: try parseSelectionSet())
    }

    /// OperationType : one of `query` `mutation` `subscription`
    mutating func parseOperationType() throws(GraphQLError) -> OperationType {
        if try skipKeyword("query") { return .query }
        if try skipKeyword("mutation") { return .mutation }
        if try skipKeyword("subscription") { return .subscription }
        throw peek(.name) ? unexpected() : expected(TokenKind.name.text)
    }

    /// VariablesDefinition : `(` VariableDefinition+ `)`
    private mutating func parseVariableDefinitions() throws(GraphQLError) -> [VariableDefinition] {
        try optionalMany(.parenLeft, .parenRight) { parser throws(GraphQLError) in
            try parser.parseVariableDefinition()
        }
    }

    /// VariableDefinition : Description? Variable `:` Type DefaultValue? Directives[Const]?
    private mutating func parseVariableDefinition() throws(GraphQLError) -> VariableDefinition {
        let location = location
        let description = peekDescription ? try parseStringValue() : nil
        let name = try parseVariable()
        try expect(.colon)
        let type = try parseTypeReference()
        let defaultValue = try skip(.equals) ? try parseValueLiteral(isConst: true) : nil
        return VariableDefinition(
            location: location, description: description, name: name, type: type, defaultValue: defaultValue,
            directives: try parseDirectives(isConst: true))
    }

    /// SelectionSet : `{` Selection+ `}`
    private mutating func parseSelectionSet() throws(GraphQLError) -> SelectionSet {
        let location = location
        let selections = try nested { parser throws(GraphQLError) in
            try parser.expect(.braceLeft)
            var selections: [Selection] = []
            // Most sets are small: one allocation for them instead of three.
            selections.reserveCapacity(4)
            repeat { selections.append(try parser.parseSelection()) } while try !parser.skip(.braceRight)
            return selections
        }
        return SelectionSet(location: location, selections: selections)
    }

    /// Selection :
    ///   - Field
    ///   - FragmentSpread
    ///   - InlineFragment
    private mutating func parseSelection() throws(GraphQLError) -> Selection {
        peek(.spread) ? try parseFragment() : .field(try parseField())
    }

    /// Field : Alias? Name Arguments? Directives? SelectionSet?
    private mutating func parseField() throws(GraphQLError) -> Field {
        let first = try parseName()
        let second = try skip(.colon) ? try parseName() : nil
        let arguments = try parseArguments(isConst: false)
        let directives = try parseDirectives(isConst: false)
        let selectionSet = peek(.braceLeft) ? try parseSelectionSet() : nil
        return Field(
            location: first.location, alias: second == nil ? nil : first, name: second ?? first,
            arguments: arguments, directives: directives, selectionSet: selectionSet)
    }

    /// Arguments[Const] : `(` Argument[?Const]+ `)`
    @inline(__always)
    private mutating func parseArguments(isConst: Bool) throws(GraphQLError) -> [Argument] {
        try optionalMany(.parenLeft, .parenRight) { parser throws(GraphQLError) in
            try parser.parseArgument(isConst: isConst)
        }
    }

    /// Argument[Const] : Name `:` Value[?Const]
    private mutating func parseArgument(isConst: Bool) throws(GraphQLError) -> Argument {
        let name = try parseName()
        try expect(.colon)
        return Argument(location: name.location, name: name, value: try parseValueLiteral(isConst: isConst))
    }

    /// FragmentSpread : `...` FragmentName Directives?
    ///
    /// InlineFragment : `...` TypeCondition? Directives? SelectionSet
    private mutating func parseFragment() throws(GraphQLError) -> Selection {
        let location = location
        try expect(.spread)
        let hasTypeCondition = try skipKeyword("on")
        if !hasTypeCondition, peek(.name) {
            let name = try parseFragmentName()
            let directives = try parseDirectives(isConst: false)
            return .fragmentSpread(FragmentSpread(location: location, name: name, directives: directives))
        }
        let typeCondition = hasTypeCondition ? try parseNamedType() : nil
        let directives = try parseDirectives(isConst: false)
        return .inlineFragment(
            InlineFragment(
                location: location, typeCondition: typeCondition, directives: directives,
                selectionSet: try parseSelectionSet()))
    }

    /// FragmentDefinition : Description? `fragment` FragmentName TypeCondition Directives? SelectionSet
    private mutating func parseFragmentDefinition(
        _ location: Location, _ description: StringValue?
    ) throws(GraphQLError) -> FragmentDefinition {
        try expectKeyword("fragment")
        let name = try parseFragmentName()
        let variableDefinitions = options.allowLegacyFragmentVariables ? try parseVariableDefinitions() : []
        try expectKeyword("on")
        let typeCondition = try parseNamedType()
        let directives = try parseDirectives(isConst: false)
        return FragmentDefinition(
            location: location, description: description, name: name, variableDefinitions: variableDefinitions,
            typeCondition: typeCondition, directives: directives, selectionSet: try parseSelectionSet())
    }

    /// FragmentName : Name but not `on`
    private mutating func parseFragmentName() throws(GraphQLError) -> Name {
        if lexer.isName("on") { throw unexpected() }
        return try parseName()
    }

    /// Directives[Const] : Directive[?Const]+
    @inline(__always)
    mutating func parseDirectives(isConst: Bool) throws(GraphQLError) -> [Directive] {
        guard peek(.at) else { return [] }
        var directives = [try parseDirective(isConst: isConst)]
        while peek(.at) { directives.append(try parseDirective(isConst: isConst)) }
        if let maximum = options.maxDirectives, directives.count > maximum {
            throw directiveLimitExceeded(directives, maximum: maximum)
        }
        return directives
    }

    /// Directive[Const] : `@` Name Arguments[?Const]?
    private mutating func parseDirective(isConst: Bool) throws(GraphQLError) -> Directive {
        let location = location
        try expect(.at)
        let name = try parseName()
        return Directive(location: location, name: name, arguments: try parseArguments(isConst: isConst))
    }
}
