/// Cuts bytes into tokens and holds the current one. Names and numbers stay a range of bytes until somebody asks.
/// Spec: 2.1 Source Text
struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    let count: Int
    private(set) var kind = TokenKind.endOfFile
    private(set) var start = 0
    /// Where the current token ends, and the search for the next one begins.
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

    /// The byte at a position; 0, which no token has, after the end.
    @inline(__always)
    func byte(_ position: Int) -> UInt8 {
        position < count ? bytes.baseAddress.unsafelyUnwrapped[position] : 0
    }

    /// Token and what is ignored before it.
    ///
    /// Ignored : UnicodeBOM | WhiteSpace | LineTerminator | Comment | Comma
    mutating func advance() throws(GraphQLError) {
        // Positions are local in the loops: a store to `end` for each byte would cost more than the byte.
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
    /// FloatValue : IntegerPart FractionalPart? ExponentPart? [lookahead ∉ { Digit, `.`, NameStart }]
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
}
