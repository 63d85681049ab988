public struct ParserOptions: Sendable {
    /// The number of tokens a document may have, without bound if nil.
    public var maxTokens: Int?
    /// How deep selection sets, list and object values and list types may nest.
    public var maxDepth: Int
    /// The number of directives that one location may have, without bound if nil.
    public var maxDirectives: Int?
    /// Accepts variable definitions on fragments, which no edition of the specification has.
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
/// Throws one error with the code `GRAPHQL_PARSE_FAILED`, or `QUERY_TOO_COMPLEX` where a limit was met.
/// Spec: 2.2 Document
public func parse(_ source: Source, options: ParserOptions = ParserOptions()) throws(GraphQLError) -> Document {
    let definitions = try parse(source, options) { parser throws(GraphQLError) in try parser.parseDocument() }
    return Document(source: source, definitions: definitions)
}

/// Parses a source that is one value and nothing else.
/// Spec: 2.9 Input Values
public func parseValue(_ source: Source, options: ParserOptions = ParserOptions()) throws(GraphQLError) -> Value {
    try parse(source, options) { parser throws(GraphQLError) in try parser.parseValueLiteral(isConst: false) }
}

/// Parses a source that is one value without variables and nothing else.
public func parseConstValue(_ source: Source, options: ParserOptions = ParserOptions()) throws(GraphQLError) -> Value {
    try parse(source, options) { parser throws(GraphQLError) in try parser.parseValueLiteral(isConst: true) }
}

/// Parses a source that is one type reference and nothing else.
/// Spec: 2.11 Type References
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

/// Recursive descent with one token of lookahead; the grammar's productions are in the extensions.
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

    /// The text of the current token, after which the next one is current.
    @inline(__always)
    mutating func takeText() throws(GraphQLError) -> String {
        let text = lexer.text
        try advance()
        return text
    }

    /// Goes one level deeper into what nests; every recursion of the grammar passes here.
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

    /// At the first directive beyond the limit.
    func directiveLimitExceeded(_ directives: [Directive], maximum: Int) -> GraphQLError {
        let message = "A location has \(directives.count) directives, but at most \(maximum) are allowed."
        return lexer.limitExceeded(
            message, limit: "directives", maximum: maximum, actual: directives.count,
            at: Int(directives[maximum].location.offset))
    }
}
