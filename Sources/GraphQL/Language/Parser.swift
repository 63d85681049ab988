/// The limits of a parser.
public struct ParserOptions: Sendable {
    /// The number of tokens that a document may have; nil for any number.
    public var maxTokens: Int?
    /// The depth to which selection sets, list and object values and list types may nest.
    public var maxDepth: Int
    /// The number of directives that one location may have; nil for any number.
    public var maxDirectives: Int?
    /// True where fragments may define variables, which no edition of the specification allows.
    public var allowLegacyFragmentVariables: Bool

    public init(
        maxTokens: Int? = nil, maxDepth: Int = 64, maxDirectives: Int? = nil,
        allowLegacyFragmentVariables: Bool = false
    ) {
        self.maxTokens = maxTokens
        self.maxDepth = maxDepth
        self.maxDirectives = maxDirectives
        self.allowLegacyFragmentVariables = allowLegacyFragmentVariables
    }
}

/// Parses a document of executable definitions, type system definitions or both.
///
/// - Parameters:
///   - source: the text.
///   - options: the limits.
/// - Throws: one error with code `GRAPHQL_PARSE_FAILED`, or `QUERY_TOO_COMPLEX` where a limit is exceeded.
/// Spec: 2.3 Document
public func parse(_ source: Source, options: ParserOptions = ParserOptions()) throws(GraphQLError) -> Document {
    let definitions = try parse(source, options) { parser throws(GraphQLError) in try parser.parseDocument() }
    return Document(source: source, definitions: definitions)
}

/// Parses a source that is one value and nothing else.
/// Spec: 2.10 Input Values
public func parseValue(_ source: Source, options: ParserOptions = ParserOptions()) throws(GraphQLError) -> Value {
    try parse(source, options) { parser throws(GraphQLError) in try parser.parseValueLiteral(isConst: false) }
}

/// Parses a source that is one value without variables and nothing else.
public func parseConstValue(_ source: Source, options: ParserOptions = ParserOptions()) throws(GraphQLError) -> Value {
    try parse(source, options) { parser throws(GraphQLError) in try parser.parseValueLiteral(isConst: true) }
}

/// Parses a source that is one type reference and nothing else.
/// Spec: 2.12 Type References
public func parseType(_ source: Source, options: ParserOptions = ParserOptions()) throws(GraphQLError) -> TypeNode {
    try parse(source, options) { parser throws(GraphQLError) in try parser.parseTypeReference() }
}

private func parse<Node>(
    _ source: Source, _ options: ParserOptions, _ production: (inout Parser) throws(GraphQLError) -> Node
) throws(GraphQLError) -> Node {
    try source.bytes.withUnsafeBufferPointer { bytes throws(GraphQLError) in
        var parser = Parser(bytes, options)
        try parser.advance()
        let node = try production(&parser)
        try parser.expect(.endOfFile)
        return node
    }
}

/// A recursive-descent parser with one token of lookahead. Each production of the grammar is a method; those of the
/// type system are in TypeSystemParser.swift.
struct Parser {
    private(set) var lexer: Lexer
    let options: ParserOptions
    private var depth = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ options: ParserOptions) {
        lexer = Lexer(bytes, maxTokens: options.maxTokens)
        self.options = options
    }

    /// The place of the current token.
    @inline(__always)
    var location: Location { Location(offset: lexer.start) }

    @inline(__always)
    func peek(_ kind: TokenKind) -> Bool { lexer.kind == kind }

    @inline(__always)
    var peekDescription: Bool { peek(.string) || peek(.blockString) }

    @inline(__always)
    mutating func advance() throws(GraphQLError) { try lexer.advance() }

    @inline(__always)
    mutating func expect(_ kind: TokenKind) throws(GraphQLError) {
        guard peek(kind) else { throw expected(kind.text) }
        if kind != .endOfFile { try advance() }
    }

    @inline(__always)
    mutating func skip(_ kind: TokenKind) throws(GraphQLError) -> Bool {
        guard peek(kind) else { return false }
        try advance()
        return true
    }

    mutating func expectKeyword(_ keyword: StaticString) throws(GraphQLError) {
        guard lexer.isName(keyword) else { throw expected("\"\(keyword)\"") }
        try advance()
    }

    @inline(__always)
    mutating func skipKeyword(_ keyword: StaticString) throws(GraphQLError) -> Bool {
        guard lexer.isName(keyword) else { return false }
        try advance()
        return true
    }

    /// Returns the text of the current token and advances.
    @inline(__always)
    mutating func takeText() throws(GraphQLError) -> String {
        let text = lexer.text
        try advance()
        return text
    }

    /// Parses something that nests one level deeper. Every recursion of the grammar goes through here.
    @inline(__always)
    mutating func nested<Node>(_ parse: (inout Parser) throws(GraphQLError) -> Node) throws(GraphQLError) -> Node {
        depth += 1
        if depth > options.maxDepth { throw depthLimitExceeded() }
        let node = try parse(&self)
        depth -= 1
        return node
    }

    /// `open` item+ `close`
    @inline(__always)
    mutating func many<Node>(
        _ open: TokenKind, _ close: TokenKind, _ parse: (inout Parser) throws(GraphQLError) -> Node
    ) throws(GraphQLError) -> [Node] {
        try expect(open)
        var nodes = [try parse(&self)]
        while try !skip(close) { nodes.append(try parse(&self)) }
        return nodes
    }

    /// Nothing, or `open` item+ `close`
    @inline(__always)
    mutating func optionalMany<Node>(
        _ open: TokenKind, _ close: TokenKind, _ parse: (inout Parser) throws(GraphQLError) -> Node
    ) throws(GraphQLError) -> [Node] {
        peek(open) ? try many(open, close, parse) : []
    }

    /// `open` item* `close`
    mutating func any<Node>(
        _ open: TokenKind, _ close: TokenKind, _ parse: (inout Parser) throws(GraphQLError) -> Node
    ) throws(GraphQLError) -> [Node] {
        try expect(open)
        var nodes: [Node] = []
        while try !skip(close) { nodes.append(try parse(&self)) }
        return nodes
    }

    /// `delimiter`? item (`delimiter` item)*
    mutating func delimitedMany<Node>(
        _ delimiter: TokenKind, _ parse: (inout Parser) throws(GraphQLError) -> Node
    ) throws(GraphQLError) -> [Node] {
        _ = try skip(delimiter)
        var nodes: [Node] = []
        repeat { nodes.append(try parse(&self)) } while try skip(delimiter)
        return nodes
    }

    // MARK: - Documents

    /// Document : Definition+
    mutating func parseDocument() throws(GraphQLError) -> [Definition] {
        var definitions: [Definition] = []
        repeat { definitions.append(try parseDefinition()) } while !peek(.endOfFile)
        return definitions
    }

    /// Definition : ExecutableDefinition | TypeSystemDefinitionOrExtension
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
            // Most sets are small. With room for four selections a set costs one allocation instead of three.
            selections.reserveCapacity(4)
            repeat { selections.append(try parser.parseSelection()) } while try !parser.skip(.braceRight)
            return selections
        }
        return SelectionSet(location: location, selections: selections)
    }

    /// Selection : Field | FragmentSpread | InlineFragment
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

    // MARK: - Values

    @inline(__always)
    mutating func parseName() throws(GraphQLError) -> Name {
        guard peek(.name) else { throw expected(TokenKind.name.text) }
        let location = location
        return Name(try takeText(), at: location)
    }

    /// Value[Const] : [~Const] Variable | IntValue | FloatValue | StringValue | BooleanValue | NullValue | EnumValue |
    /// ListValue[?Const] | ObjectValue[?Const]
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

    /// Type : NamedType | `[` Type `]` | NamedType `!` | `[` Type `]` `!`
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

    // MARK: - Errors

    @inline(never)
    func unexpected() -> GraphQLError {
        lexer.syntaxError("Unexpected \(lexer.tokenDescription).", at: lexer.start)
    }

    @inline(never)
    func expected(_ what: String) -> GraphQLError {
        lexer.syntaxError("Expected \(what), found \(lexer.tokenDescription).", at: lexer.start)
    }

    func syntaxError(_ message: String, at location: Location) -> GraphQLError {
        lexer.syntaxError(message, at: Int(location.offset))
    }

    @inline(never)
    private func depthLimitExceeded() -> GraphQLError {
        let message = "Document nests deeper than \(options.maxDepth) levels. Parsing aborted."
        return lexer.limitExceeded(message, limit: "parserDepth", maximum: options.maxDepth)
    }

    /// The error is placed at the first directive beyond the limit.
    func directiveLimitExceeded(_ directives: [Directive], maximum: Int) -> GraphQLError {
        let message = "A location has \(directives.count) directives, but at most \(maximum) are allowed."
        return lexer.limitExceeded(
            message, limit: "directives", maximum: maximum, actual: directives.count,
            at: Int(directives[maximum].location.offset))
    }
}
