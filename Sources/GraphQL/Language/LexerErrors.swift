/// The lexer's errors, in graphql-js's words, and what they say of the current token.
extension Lexer {
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
