extension Lexer {
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
}
