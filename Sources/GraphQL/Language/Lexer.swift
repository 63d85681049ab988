/// The lexical tokens of the grammar; white space, comments and commas are skipped by the lexer.
/// Spec: 2.1.5 Lexical Tokens
enum TokenKind: UInt8, Sendable {
    case endOfFile
    case bang, dollar, ampersand, parenLeft, parenRight, spread, colon, equals, at
    case bracketLeft, bracketRight, braceLeft, pipe, braceRight
    case name, int, float, string, blockString

    /// The kind's name in error messages, which are those of graphql-js.
    var text: String {
        switch self {
        case .endOfFile: "<EOF>"
        case .bang: "\"!\""
        case .dollar: "\"$\""
        case .ampersand: "\"&\""
        case .parenLeft: "\"(\""
        case .parenRight: "\")\""
        case .spread: "\"...\""
        case .colon: "\":\""
        case .equals: "\"=\""
        case .at: "\"@\""
        case .bracketLeft: "\"[\""
        case .bracketRight: "\"]\""
        case .braceLeft: "\"{\""
        case .pipe: "\"|\""
        case .braceRight: "\"}\""
        case .name: "Name"
        case .int: "Int"
        case .float: "Float"
        case .string: "String"
        case .blockString: "BlockString"
        }
    }
}

/// Splits bytes into tokens, and holds the current one. The text of a name or a number is copied only by `text`.
/// Spec: 2.1 Source Text
struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    let count: Int
    private(set) var kind = TokenKind.endOfFile
    private(set) var start = 0
    /// The position after the current token.
    private(set) var end = 0
    /// The value of a string token, with escapes and indentation resolved.
    private(set) var string = ""
    private(set) var tokenCount = 0
    let maxTokens: Int
    private let classes = byteClasses.utf8Start

    init(_ bytes: UnsafeBufferPointer<UInt8>, maxTokens: Int? = nil) {
        self.bytes = bytes
        count = bytes.count
        self.maxTokens = maxTokens ?? .max
    }

    /// The byte at a position. After the end it is 0, which tokens contain only inside strings.
    @inline(__always)
    func byte(_ position: Int) -> UInt8 {
        position < count ? bytes.baseAddress.unsafelyUnwrapped[position] : 0
    }

    /// Reads the next token, and skips the ignored tokens before it.
    ///
    /// Ignored : UnicodeBOM | WhiteSpace | LineTerminator | Comment | Comma
    mutating func advance() throws(GraphQLError) {
        // `position` is local: a store to `end` for each byte would cost more than reading the byte.
        var position = end
        while position < count {
            let byteClass = byteClass(position)
            if byteClass == ByteClass.ignored {
                position += 1
                continue
            }
            if byteClass == ByteClass.nameStart { return try readName(from: position) }
            let byte = byte(position)
            if byte == UInt8(ascii: "#") {
                position = try endOfComment(from: position)
            } else if byte == 0xEF, self.byte(position + 1) == 0xBB, self.byte(position + 2) == 0xBF {
                position += 3
            } else {
                try begin(at: position)
                return try readOther(byte)
            }
        }
        kind = .endOfFile
        start = count
        end = count
    }

    @inline(__always)
    private func byteClass(_ position: Int) -> UInt8 {
        classes[Int(bytes.baseAddress.unsafelyUnwrapped[position])]
    }

    @inline(__always)
    private mutating func begin(at position: Int) throws(GraphQLError) {
        start = position
        end = position
        tokenCount += 1
        if tokenCount > maxTokens { throw tokenLimitExceeded() }
    }

    /// Name : NameStart NameContinue*
    @inline(__always)
    private mutating func readName(from start: Int) throws(GraphQLError) {
        try begin(at: start)
        kind = .name
        var position = start + 1
        while position < count, byteClass(position) >= ByteClass.nameStart { position += 1 }
        end = position
    }

    /// Comment : `#` CommentChar*
    @inline(never)
    private func endOfComment(from start: Int) throws(GraphQLError) -> Int {
        var position = start
        while position < count, !byte(position).isLineTerminator {
            if byte(position) < 0x80 {
                position += 1
                continue
            }
            let sequence = UTF8Sequence(bytes, at: position)
            guard case .scalar(_, let length) = sequence else {
                throw syntaxError(invalidCharacter(sequence, within: ""), at: position)
            }
            position += length
        }
        return position
    }

    private mutating func readOther(_ first: UInt8) throws(GraphQLError) {
        switch first {
        case UInt8(ascii: "!"): punctuator(.bang)
        case UInt8(ascii: "$"): punctuator(.dollar)
        case UInt8(ascii: "&"): punctuator(.ampersand)
        case UInt8(ascii: "("): punctuator(.parenLeft)
        case UInt8(ascii: ")"): punctuator(.parenRight)
        case UInt8(ascii: ":"): punctuator(.colon)
        case UInt8(ascii: "="): punctuator(.equals)
        case UInt8(ascii: "@"): punctuator(.at)
        case UInt8(ascii: "["): punctuator(.bracketLeft)
        case UInt8(ascii: "]"): punctuator(.bracketRight)
        case UInt8(ascii: "{"): punctuator(.braceLeft)
        case UInt8(ascii: "|"): punctuator(.pipe)
        case UInt8(ascii: "}"): punctuator(.braceRight)
        case UInt8(ascii: ".") where byte(end + 1) == first && byte(end + 2) == first:
            punctuator(.spread, length: 3)
        case UInt8(ascii: "\"") where byte(end + 1) == first && byte(end + 2) == first:
            kind = .blockString
            (string, end) = try readBlockString(from: start + 3)
        case UInt8(ascii: "\""):
            kind = .string
            (string, end) = try readString(from: start + 1)
        case UInt8(ascii: "-"), 0x30...0x39:
            try readNumber(first)
        default:
            throw unexpectedCharacter()
        }
    }

    @inline(__always)
    private mutating func punctuator(_ kind: TokenKind, length: Int = 1) {
        self.kind = kind
        end += length
    }

    /// IntValue : IntegerPart [lookahead ∉ { Digit, `.`, NameStart }]
    ///
    /// FloatValue : IntegerPart (FractionalPart ExponentPart? | ExponentPart) [lookahead ∉ { Digit, `.`, NameStart }]
    private mutating func readNumber(_ first: UInt8) throws(GraphQLError) {
        kind = .int
        if first == UInt8(ascii: "-") { end += 1 }
        if byte(end) == UInt8(ascii: "0") {
            end += 1
            if byte(end).isDigit {
                throw syntaxError("Invalid number, unexpected digit after 0: \(character(at: end)).", at: end)
            }
        } else {
            try readDigits()
        }
        if byte(end) == UInt8(ascii: ".") {
            kind = .float
            end += 1
            try readDigits()
        }
        if byte(end) | 0x20 == UInt8(ascii: "e") {
            kind = .float
            end += 1
            if byte(end) == UInt8(ascii: "+") || byte(end) == UInt8(ascii: "-") { end += 1 }
            try readDigits()
        }
        if byte(end) == UInt8(ascii: ".") || byte(end).isNameStart { throw digitExpected() }
    }

    private mutating func readDigits() throws(GraphQLError) {
        guard byte(end).isDigit else { throw digitExpected() }
        repeat { end += 1 } while byte(end).isDigit
    }

    // MARK: - Strings

    /// StringValue : `"` StringCharacter* `"`
    ///
    /// Returns the value and the position after the closing quote.
    func readString(from start: Int) throws(GraphQLError) -> (value: String, end: Int) {
        var position = start
        while position < count {
            let byte = byte(position)
            if byte == UInt8(ascii: "\"") {
                return (String(decoding: bytes[start..<position], as: UTF8.self), position + 1)
            }
            if byte == UInt8(ascii: "\\") { return try readEscapedString(from: start, firstEscape: position) }
            if byte.isLineTerminator { break }
            position += try characterLength(at: position)
        }
        throw syntaxError("Unterminated string.", at: position)
    }

    private func readEscapedString(from start: Int, firstEscape: Int) throws(GraphQLError) -> (value: String, end: Int)
    {
        var value = Array(bytes[start..<firstEscape])
        var position = firstEscape
        while position < count {
            let byte = byte(position)
            if byte == UInt8(ascii: "\"") { return (String(decoding: value, as: UTF8.self), position + 1) }
            if byte.isLineTerminator { break }
            if byte == UInt8(ascii: "\\") {
                position += try readEscape(at: position, into: &value)
            } else {
                let length = try characterLength(at: position)
                value.append(contentsOf: bytes[position..<position + length])
                position += length
            }
        }
        throw syntaxError("Unterminated string.", at: position)
    }

    /// The number of bytes of the character at a position, which has to be a Unicode scalar value.
    @inline(__always)
    private func characterLength(at position: Int) throws(GraphQLError) -> Int {
        if byte(position) < 0x80 { return 1 }
        let sequence = UTF8Sequence(bytes, at: position)
        guard case .scalar(_, let length) = sequence else {
            throw syntaxError(invalidCharacter(sequence, within: " within String"), at: position)
        }
        return length
    }

    /// StringCharacter : `\u` EscapedUnicode | `\` EscapedCharacter
    ///
    /// Returns the number of bytes read.
    private func readEscape(at position: Int, into value: inout [UInt8]) throws(GraphQLError) -> Int {
        switch byte(position + 1) {
        case UInt8(ascii: "u"):
            return byte(position + 2) == UInt8(ascii: "{")
                ? try readVariableWidthEscape(at: position, into: &value)
                : try readFixedWidthEscape(at: position, into: &value)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): value.append(byte(position + 1))
        case UInt8(ascii: "b"): value.append(0x08)
        case UInt8(ascii: "f"): value.append(0x0C)
        case UInt8(ascii: "n"): value.append(0x0A)
        case UInt8(ascii: "r"): value.append(0x0D)
        case UInt8(ascii: "t"): value.append(0x09)
        default:
            let escape = excerpt(from: position, utf16Count: 2)
            throw syntaxError("Invalid character escape sequence: \"\(escape)\".", at: position)
        }
        return 2
    }

    /// EscapedUnicode : `{` HexDigit+ `}`
    private func readVariableWidthEscape(at position: Int, into value: inout [UInt8]) throws(GraphQLError) -> Int {
        var point: UInt32 = 0
        var size = 3
        while size < 12 {
            let byte = byte(position + size)
            size += 1
            if byte == UInt8(ascii: "}") {
                guard size >= 5, let scalar = UnicodeScalar(point) else { break }
                value.append(contentsOf: scalar.utf8)
                return size
            }
            guard let digit = byte.hexDigit, point < 0x0800_0000 else { break }
            point = point << 4 | digit
        }
        throw invalidUnicodeEscape(at: position, utf16Count: size)
    }

    /// EscapedUnicode : HexDigit HexDigit HexDigit HexDigit, or a surrogate pair of two such escapes.
    private func readFixedWidthEscape(at position: Int, into value: inout [UInt8]) throws(GraphQLError) -> Int {
        guard let code = hexCode(at: position + 2) else { throw invalidUnicodeEscape(at: position, utf16Count: 6) }
        if let scalar = UnicodeScalar(code) {
            value.append(contentsOf: scalar.utf8)
            return 6
        }
        guard 0xD800...0xDBFF ~= code, byte(position + 6) == UInt8(ascii: "\\"),
            byte(position + 7) == UInt8(ascii: "u"),
            let low = hexCode(at: position + 8), 0xDC00...0xDFFF ~= low,
            let scalar = UnicodeScalar(0x10000 + (code - 0xD800) << 10 + (low - 0xDC00))
        else { throw invalidUnicodeEscape(at: position, utf16Count: 6) }
        value.append(contentsOf: scalar.utf8)
        return 12
    }

    private func hexCode(at position: Int) -> UInt32? {
        var code: UInt32 = 0
        for index in position..<position + 4 {
            guard let digit = byte(index).hexDigit else { return nil }
            code = code << 4 | digit
        }
        return code
    }

    private func invalidUnicodeEscape(at position: Int, utf16Count: Int) -> GraphQLError {
        let escape = excerpt(from: position, utf16Count: utf16Count)
        return syntaxError("Invalid Unicode escape sequence: \"\(escape)\".", at: position)
    }

    /// StringValue : `"""` BlockStringCharacter* `"""`
    ///
    /// Returns the value and the position after the closing quotes.
    func readBlockString(from start: Int) throws(GraphQLError) -> (value: String, end: Int) {
        var lines: [[UInt8]] = [[]]
        var chunkStart = start
        var position = start
        while position < count {
            switch byte(position) {
            case UInt8(ascii: "\"") where isTripleQuote(at: position):
                lines[lines.count - 1].append(contentsOf: bytes[chunkStart..<position])
                return (blockStringValue(lines), position + 3)
            case UInt8(ascii: "\\") where isTripleQuote(at: position + 1):
                lines[lines.count - 1].append(contentsOf: bytes[chunkStart..<position])
                chunkStart = position + 1
                position += 4
            case 0x0A, 0x0D:
                lines[lines.count - 1].append(contentsOf: bytes[chunkStart..<position])
                lines.append([])
                position += byte(position) == 0x0D && byte(position + 1) == 0x0A ? 2 : 1
                chunkStart = position
            default:
                position += try characterLength(at: position)
            }
        }
        throw syntaxError("Unterminated string.", at: position)
    }

    private func isTripleQuote(at position: Int) -> Bool {
        byte(position) == 0x22 && byte(position + 1) == 0x22 && byte(position + 2) == 0x22
    }

    // MARK: - The current token

    /// The bytes of the current token as text; a string's value is in `string`.
    @inline(__always)
    var text: String { String(decoding: bytes[start..<end], as: UTF8.self) }

    @inline(__always)
    func isName(_ keyword: StaticString) -> Bool {
        guard kind == .name, end - start == keyword.utf8CodeUnitCount else { return false }
        for index in 0..<keyword.utf8CodeUnitCount
        where bytes[start + index] != keyword.utf8Start[index] { return false }
        return true
    }

    /// The current token as an error message shows it.
    var tokenDescription: String {
        switch kind {
        case .string, .blockString: "\(kind.text) \"\(string)\""
        case .name, .int, .float: "\(kind.text) \"\(text)\""
        default: kind.text
        }
    }

    // MARK: - Errors, in the words of graphql-js

    @inline(never)
    func syntaxError(_ message: String, at position: Int) -> GraphQLError {
        GraphQLError(
            "Syntax Error: \(message)", code: .parseFailed, locations: [SourceLocation(in: bytes, at: position)])
    }

    @inline(never)
    func limitExceeded(
        _ message: String, limit: String, maximum: Int, actual: Int? = nil, at offset: Int? = nil
    ) -> GraphQLError {
        var extensions = InputObject([
            (name: "code", value: .string(ErrorCode.queryTooComplex.rawValue)),
            (name: "limit", value: .string(limit)),
            (name: "maximum", value: .int(maximum)),
        ])
        if let actual { extensions.fields.append((name: "actual", value: .int(actual))) }
        return GraphQLError(
            "Syntax Error: \(message)", locations: [SourceLocation(in: bytes, at: offset ?? start)],
            extensions: extensions)
    }

    @inline(never)
    func tokenLimitExceeded() -> GraphQLError {
        let message = "Document contains more that \(maxTokens) tokens. Parsing aborted."
        return limitExceeded(message, limit: "tokens", maximum: maxTokens)
    }

    @inline(never)
    func unexpectedCharacter() -> GraphQLError {
        let sequence = UTF8Sequence(bytes, at: end)
        guard case .scalar(let value, _) = sequence else {
            return syntaxError(invalidCharacter(sequence, within: ""), at: end)
        }
        if value == 0x27 {
            let message = "Unexpected single quote character ('), did you mean to use a double quote (\")?"
            return syntaxError(message, at: end)
        }
        return syntaxError("Unexpected character: \(character(at: end)).", at: end)
    }

    @inline(never)
    func digitExpected() -> GraphQLError {
        syntaxError("Invalid number, expected digit but got: \(character(at: end)).", at: end)
    }

    func invalidCharacter(_ sequence: UTF8Sequence, within place: String) -> String {
        switch sequence {
        case .scalar(let value, _), .surrogate(let value): "Invalid character\(place): \(codePoint(value))."
        case .invalid(let byte): "Invalid UTF-8 byte\(place): 0x\(hexadecimal(UInt32(byte), digits: 2))."
        }
    }

    /// The character at a position as an error message shows it.
    func character(at position: Int) -> String {
        guard position < count else { return "<EOF>" }
        switch UTF8Sequence(bytes, at: position) {
        case .scalar(0x22, _): return "'\"'"
        case .scalar(let value, _) where 0x20...0x7E ~= value: return "\"\(Character(UnicodeScalar(UInt8(value))))\""
        case .scalar(let value, _), .surrogate(let value): return codePoint(value)
        case .invalid(let byte): return "0x\(hexadecimal(UInt32(byte), digits: 2))"
        }
    }

    /// The text from a position on, cut after a number of UTF-16 code units.
    func excerpt(from position: Int, utf16Count: Int) -> String {
        var end = position
        var units = 0
        while end < count, units < utf16Count {
            let sequence = UTF8Sequence(bytes, at: end)
            end += sequence.length
            units += sequence.utf16Length
        }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    private func codePoint(_ value: UInt32) -> String { "U+" + hexadecimal(value, digits: 4) }

    private func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

/// Removes the common indentation, and the blank lines at both ends.
/// Spec: 2.10.4 String Value, BlockStringValue
func blockStringValue(_ lines: [[UInt8]]) -> String {
    var commonIndent = Int.max
    var firstNonEmpty: Int?
    var lastNonEmpty = -1
    for (index, line) in lines.enumerated() {
        let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }.count
        if indent == line.count { continue }
        firstNonEmpty = firstNonEmpty ?? index
        lastNonEmpty = index
        if index != 0 { commonIndent = min(commonIndent, indent) }
    }
    guard let firstNonEmpty else { return "" }
    var value: [UInt8] = []
    for index in firstNonEmpty...lastNonEmpty {
        if index > firstNonEmpty { value.append(0x0A) }
        value.append(contentsOf: index == 0 ? lines[index][...] : lines[index].dropFirst(commonIndent))
    }
    return String(decoding: value, as: UTF8.self)
}
