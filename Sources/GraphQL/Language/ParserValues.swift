extension Parser {
    @inline(__always)
    mutating func parseName() throws(GraphQLError) -> Name {
        guard peek(.name) else { throw expected(TokenKind.name.text) }
        let location = location
        return Name(try takeText(), at: location)
    }

    /// Value[Const] :
    ///   - [~Const] Variable
    ///   - IntValue
    ///   - FloatValue
    ///   - StringValue
    ///   - BooleanValue
    ///   - NullValue
    ///   - EnumValue
    ///   - ListValue[?Const]
    ///   - ObjectValue[?Const]
    mutating func parseValueLiteral(isConst: Bool) throws(GraphQLError) -> Value {
        let location = location
        switch lexer.kind {
        case .dollar: return try parseVariableValue(isConst: isConst)
        case .int: return Value(.int(try takeText()), at: location)
        case .float: return Value(.float(try takeText()), at: location)
        case .string, .blockString: return Value(.string(try parseStringValue()), at: location)
        case .name: return Value(try parseNamedValue(), at: location)
        case .bracketLeft: return Value(.list(try parseList(isConst: isConst)), at: location)
        case .braceLeft: return Value(.object(try parseObject(isConst: isConst)), at: location)
        default: throw unexpected()
        }
    }

    mutating func parseStringValue() throws(GraphQLError) -> StringValue {
        let value = StringValue(lexer.string, isBlock: peek(.blockString), at: location)
        try advance()
        return value
    }

    /// BooleanValue : one of `true` `false`
    ///
    /// NullValue : `null`
    ///
    /// EnumValue : Name but not `true` or `false` or `null`
    private mutating func parseNamedValue() throws(GraphQLError) -> Value.Kind {
        if try skipKeyword("true") { return .boolean(true) }
        if try skipKeyword("false") { return .boolean(false) }
        if try skipKeyword("null") { return .null }
        return .enumeration(try takeText())
    }

    /// ListValue[Const] : `[` Value[?Const]* `]`
    private mutating func parseList(isConst: Bool) throws(GraphQLError) -> [Value] {
        try nested { parser throws(GraphQLError) in
            try parser.any(.bracketLeft, .bracketRight) { parser throws(GraphQLError) in
                try parser.parseValueLiteral(isConst: isConst)
            }
        }
    }

    /// ObjectValue[Const] : `{` ObjectField[?Const]* `}`
    private mutating func parseObject(isConst: Bool) throws(GraphQLError) -> [ObjectField] {
        try nested { parser throws(GraphQLError) in
            try parser.any(.braceLeft, .braceRight) { parser throws(GraphQLError) in
                try parser.parseObjectField(isConst: isConst)
            }
        }
    }

    /// ObjectField[Const] : Name `:` Value[?Const]
    private mutating func parseObjectField(isConst: Bool) throws(GraphQLError) -> ObjectField {
        let name = try parseName()
        try expect(.colon)
        return ObjectField(location: name.location, name: name, value: try parseValueLiteral(isConst: isConst))
    }

    private mutating func parseVariableValue(isConst: Bool) throws(GraphQLError) -> Value {
        let location = location
        guard isConst else { return Value(.variable(try parseVariable().value), at: location) }
        try advance()
        guard peek(.name) else { throw syntaxError("Unexpected \(TokenKind.dollar.text).", at: location) }
        throw syntaxError("Unexpected variable \"$\(lexer.text)\" in constant value.", at: location)
    }

    /// Variable : `$` Name
    mutating func parseVariable() throws(GraphQLError) -> Name {
        try expect(.dollar)
        return try parseName()
    }

    // MARK: - Type references

    /// Type :
    ///   - NamedType
    ///   - `[` Type `]`
    ///   - NamedType `!`
    ///   - `[` Type `]` `!`
    mutating func parseTypeReference() throws(GraphQLError) -> TypeNode {
        let location = location
        let type: TypeNode
        if peek(.bracketLeft) {
            let element = try nested { parser throws(GraphQLError) in
                try parser.advance()
                return try parser.parseTypeReference()
            }
            try expect(.bracketRight)
            type = .list(element, location)
        } else {
            type = .named(try parseNamedType())
        }
        return try skip(.bang) ? .nonNull(type, location) : type
    }

    /// NamedType : Name
    mutating func parseNamedType() throws(GraphQLError) -> NamedTypeNode { NamedTypeNode(try parseName()) }
}
