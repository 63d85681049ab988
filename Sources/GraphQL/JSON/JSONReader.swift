/// Reads one JSON text. A number without fraction and exponent that fits `Int` is `.int`, every other number `.float`.
/// The last of several members with equal names counts.
///
/// - Parameters:
///   - bytes: UTF-8.
///   - maxDepth: the depth to which arrays and objects may nest.
/// - Throws: `JSONError` for a text that RFC 8259 does not allow, a byte-order mark, a lone surrogate, a number that no
///   `Double` holds, or a text that nests deeper than `maxDepth`.
/// Spec: RFC 8259
public func parseJSON(_ bytes: UnsafeRawBufferPointer, maxDepth: Int = 64) throws(JSONError) -> InputValue {
    var reader = JSONReader(bytes, maxDepth: maxDepth)
    return try reader.readText()
}

/// Reads one JSON text, as ``parseJSON(_:maxDepth:)-(UnsafeRawBufferPointer,_)``.
public func parseJSON(_ bytes: [UInt8], maxDepth: Int = 64) throws(JSONError) -> InputValue {
    try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
        try parseJSON(UnsafeRawBufferPointer(bytes), maxDepth: maxDepth)
    }
}

struct JSONReader {
    let bytes: UnsafeRawBufferPointer
    var position = 0
    private let maxDepth: Int
    private var depth = 0

    init(_ bytes: UnsafeRawBufferPointer, maxDepth: Int) {
        self.bytes = bytes
        self.maxDepth = maxDepth
    }

    /// The byte at a position. After the end it is 0, a byte that no JSON text contains.
    @inline(__always)
    func byte(_ position: Int) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

    /// JSON-text = ws value ws
    mutating func readText() throws(JSONError) -> InputValue {
        skipWhiteSpace()
        let value = try readValue()
        skipWhiteSpace()
        if position < bytes.count { throw unexpected() }
        return value
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// value = false / null / true / object / array / number / string
    private mutating func readValue() throws(JSONError) -> InputValue {
        switch byte(position) {
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "{"): return .object(try nested { reader throws(JSONError) in try reader.readObject() })
        case UInt8(ascii: "["): return .list(try nested { reader throws(JSONError) in try reader.readArray() })
        case UInt8(ascii: "-"), 0x30...0x39: return try readNumber()
        case UInt8(ascii: "t"): return try readLiteral("true", .boolean(true))
        case UInt8(ascii: "f"): return try readLiteral("false", .boolean(false))
        case UInt8(ascii: "n"): return try readLiteral("null", .null)
        default: throw unexpected()
        }
    }

    private mutating func nested<Value>(
        _ read: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        depth += 1
        if depth > maxDepth { throw JSONError(.tooDeep(maximum: maxDepth), at: position) }
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func readLiteral(_ text: StaticString, _ value: InputValue) throws(JSONError) -> InputValue {
        for index in 0..<text.utf8CodeUnitCount {
            guard byte(position) == text.utf8Start[index] else { throw unexpected() }
            position += 1
        }
        return value
    }

    /// array = `[` [ value *( `,` value ) ] `]`
    private mutating func readArray() throws(JSONError) -> [InputValue] {
        var values: [InputValue] = []
        position += 1
        skipWhiteSpace()
        if skip(UInt8(ascii: "]")) { return values }
        while true {
            skipWhiteSpace()
            values.append(try readValue())
            skipWhiteSpace()
            if skip(UInt8(ascii: "]")) { return values }
            try expect(UInt8(ascii: ","))
        }
    }

    /// object = `{` [ member *( `,` member ) ] `}`
    ///
    /// member = string `:` value
    private mutating func readObject() throws(JSONError) -> InputObject {
        var fields: [(name: String, value: InputValue)] = []
        position += 1
        skipWhiteSpace()
        if skip(UInt8(ascii: "}")) { return InputObject() }
        while true {
            skipWhiteSpace()
            guard byte(position) == UInt8(ascii: "\"") else { throw unexpected() }
            let name = try readString()
            skipWhiteSpace()
            try expect(UInt8(ascii: ":"))
            skipWhiteSpace()
            fields.append((name: name, value: try readValue()))
            skipWhiteSpace()
            if skip(UInt8(ascii: "}")) { return InputObject(lastOfEachName(fields)) }
            try expect(UInt8(ascii: ","))
        }
    }

    /// The fields without repeated names: each name has its first place and its last value. Up to eight names are
    /// compared pairwise. More go through a hash table, because a client chooses their number.
    private func lastOfEachName(
        _ fields: [(name: String, value: InputValue)]
    ) -> [(name: String, value: InputValue)] {
        if fields.count <= 8 {
            let isUnique = fields.indices.allSatisfy { index in
                !fields[..<index].contains { $0.name == fields[index].name }
            }
            if isUnique { return fields }
        }
        var indices: [String: Int] = [:]
        var unique: [(name: String, value: InputValue)] = []
        for field in fields {
            if let index = indices[field.name] {
                unique[index].value = field.value
            } else {
                indices[field.name] = unique.count
                unique.append(field)
            }
        }
        return unique
    }

    // MARK: - Numbers and strings

    /// number = [ `-` ] int [ frac ] [ exp ]
    mutating func readNumber() throws(JSONError) -> InputValue {
        let start = position
        let isNegative = byte(position) == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let firstDigit = position
        var magnitude = 0
        var overflows = false
        while byte(position).isDigit {
            let (product, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
            let (difference, tooSmall) = product.subtractingReportingOverflow(Int(byte(position) - 0x30))
            // `magnitude` is kept negative, since the least integer has no positive counterpart.
            magnitude = difference
            overflows = overflows || tooLarge || tooSmall
            position += 1
        }
        let digits = position - firstDigit
        if digits == 0 { throw unexpected() }
        if digits > 1, byte(firstDigit) == UInt8(ascii: "0") { throw JSONError(.invalidNumber, at: start) }
        let isInteger = try !skipFractionAndExponent()
        if isInteger, !overflows, isNegative || magnitude != .min {
            return .int(isNegative ? magnitude : -magnitude)
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Double(text) else { throw JSONError(.invalidNumber, at: start) }
        guard number.isFinite else { throw JSONError(.numberOutOfRange, at: start) }
        return .float(number)
    }

    /// - Returns: true where there was a fraction or an exponent.
    private mutating func skipFractionAndExponent() throws(JSONError) -> Bool {
        let start = position
        if byte(position) == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if byte(position) | 0x20 == UInt8(ascii: "e") {
            position += 1
            if byte(position) == UInt8(ascii: "+") || byte(position) == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        return position > start
    }

    private mutating func skipDigits() throws(JSONError) {
        guard byte(position).isDigit else { throw unexpected() }
        repeat { position += 1 } while byte(position).isDigit
    }

    /// string = quotation-mark *char quotation-mark
    mutating func readString() throws(JSONError) -> String {
        let start = position + 1
        position = nextJSONEscape(in: bytes, from: start)
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        if byte(position) == UInt8(ascii: "\"") {
            position += 1
            return try validated(text, at: start)
        }
        var value = Array(text)
        try readEscapedRest(into: &value)
        return try validated(value, at: start)
    }

    private mutating func readEscapedRest(into value: inout [UInt8]) throws(JSONError) {
        while true {
            guard position < bytes.count else { throw unexpected() }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"):
                try readEscape(into: &value)
            default:
                throw JSONError(.controlCharacterInString, at: position)
            }
            let next = nextJSONEscape(in: bytes, from: position)
            value.append(contentsOf: bytes[position..<next])
            position = next
        }
    }

    private func validated(_ text: some Sequence<UInt8>, at offset: Int) throws(JSONError) -> String {
        guard let string = String(validating: text, as: UTF8.self) else { throw JSONError(.invalidUTF8, at: offset) }
        return string
    }

    private mutating func readEscape(into value: inout [UInt8]) throws(JSONError) {
        let start = position
        let escaped = byte(position + 1)
        position += 2
        switch escaped {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): value.append(escaped)
        case UInt8(ascii: "b"): value.append(0x08)
        case UInt8(ascii: "f"): value.append(0x0C)
        case UInt8(ascii: "n"): value.append(0x0A)
        case UInt8(ascii: "r"): value.append(0x0D)
        case UInt8(ascii: "t"): value.append(0x09)
        case UInt8(ascii: "u"): value.append(contentsOf: try readUnicodeEscape(from: start).utf8)
        default: throw JSONError(.invalidEscape, at: start)
        }
    }

    /// The scalar of one escape `\uXXXX`, or of two such escapes that form a pair of surrogates.
    private mutating func readUnicodeEscape(from start: Int) throws(JSONError) -> UnicodeScalar {
        let code = try readHexCode(from: start)
        if let scalar = UnicodeScalar(code) { return scalar }
        guard code < 0xDC00, byte(position) == UInt8(ascii: "\\"), byte(position + 1) == UInt8(ascii: "u") else {
            throw JSONError(.loneSurrogate, at: start)
        }
        position += 2
        let low = try readHexCode(from: position - 2)
        guard 0xDC00...0xDFFF ~= low, let scalar = UnicodeScalar(0x10000 + (code - 0xD800) << 10 + (low - 0xDC00))
        else { throw JSONError(.loneSurrogate, at: start) }
        return scalar
    }

    private mutating func readHexCode(from start: Int) throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = byte(position).hexDigit else { throw JSONError(.invalidEscape, at: start) }
            code = code << 4 | digit
            position += 1
        }
        return code
    }

    // MARK: - Primitives

    @inline(__always)
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard self.byte(position) == byte else { return false }
        position += 1
        return true
    }

    @inline(__always)
    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard skip(byte) else { throw unexpected() }
    }

    func unexpected() -> JSONError {
        position < bytes.count
            ? JSONError(.unexpectedByte(bytes[position]), at: position) : JSONError(.unexpectedEnd, at: position)
    }
}

/// The position of the next byte that cannot stand in a JSON string as it is: a control character, `"` or `\`.
/// Returns the buffer's count if no such byte follows. Eight bytes are tested at a time.
/// Spec: RFC 8259, section 7
func nextJSONEscape(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position &+ 8 <= bytes.count {
        if bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).hasByteToEscape { break }
        position &+= 8
    }
    while position < bytes.count, !bytes[position].isEscapedInJSON { position &+= 1 }
    return position
}

/// The error for bytes that are not a JSON text.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        /// The text ends within a value.
        case unexpectedEnd
        /// The grammar does not allow the byte at its place.
        case unexpectedByte(UInt8)
        case invalidNumber
        /// A number that no `Double` holds, such as `1e400`.
        case numberOutOfRange
        case controlCharacterInString
        case invalidEscape
        case loneSurrogate
        case invalidUTF8
        /// Arrays and objects nest deeper than allowed.
        case tooDeep(maximum: Int)
    }

    public let reason: Reason
    /// The place of the error, in bytes from the start of the text.
    public let offset: Int

    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    public var description: String {
        let what =
            switch reason {
            case .unexpectedEnd: "Unexpected end of JSON text"
            case .unexpectedByte(let byte) where 0x21...0x7E ~= byte:
                "Unexpected character \(Character(UnicodeScalar(byte))) in JSON text"
            case .unexpectedByte: "Unexpected byte in JSON text"
            case .invalidNumber: "Invalid number in JSON text"
            case .numberOutOfRange: "Number out of range in JSON text"
            case .controlCharacterInString: "Control character in a JSON string"
            case .invalidEscape: "Invalid escape in a JSON string"
            case .loneSurrogate: "Lone surrogate in a JSON string"
            case .invalidUTF8: "Invalid UTF-8 in a JSON string"
            case .tooDeep(let maximum): "JSON text nests deeper than \(maximum) levels"
            }
        return "\(what) at byte \(offset)."
    }
}
