import Cryptography

/// A strict reader of RFC 8259: UTF-8 only, a nesting depth of eight, and no duplicate member names (RFC 7515, section
/// 4, lets a parser refuse them).
struct JSONReader {
    private static let maximumDepth = 8

    private let bytes: [UInt8]
    private var position = 0

    struct Malformed: Error {}

    /// nil unless `bytes` are exactly one well-formed value.
    static func value(of bytes: [UInt8]) -> JSONValue? {
        var reader = JSONReader(bytes: bytes)
        guard let value = try? reader.readValue(depth: 0) else { return nil }
        reader.skipSpace()
        return reader.position == bytes.count ? value : nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(Malformed) {
        guard take(byte) else { throw Malformed() }
    }

    private mutating func readValue(depth: Int) throws(Malformed) -> JSONValue {
        guard depth < Self.maximumDepth else { throw Malformed() }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try readObject(depth: depth)
        case UInt8(ascii: "["): return try readArray(depth: depth)
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .boolean(true))
        case UInt8(ascii: "f"): return try readWord("false", .boolean(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        default: return try readNumber()
        }
    }

    private mutating func readObject(depth: Int) throws(Malformed) -> JSONValue {
        position += 1
        var members: [String: JSONValue] = [:]
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            let name = try readString()
            try expect(UInt8(ascii: ":"))
            let value = try readValue(depth: depth + 1)
            guard members.updateValue(value, forKey: name) == nil else { throw Malformed() }
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
        return .object(members)
    }

    private mutating func readArray(depth: Int) throws(Malformed) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try readValue(depth: depth + 1))
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
        return .array(elements)
    }

    private mutating func readWord(_ word: StaticString, _ value: JSONValue) throws(Malformed) -> JSONValue {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[position..<end].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: end - position))
        else { throw Malformed() }
        position = end
        return value
    }

    /// number = [ minus ] int [ frac ] [ exp ]
    private mutating func readNumber() throws(Malformed) -> JSONValue {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try readDigits() }
        var isInteger = true
        if next == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try readDigits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try readDigits()
        }
        guard isInteger, let integer = Int64(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            return .otherNumber
        }
        return .integer(integer)
    }

    private mutating func readDigits() throws(Malformed) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw Malformed() }
    }

    private mutating func readString() throws(Malformed) -> String {
        guard next == UInt8(ascii: "\"") else { throw Malformed() }
        position += 1
        var content: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: content, as: UTF8.self) else { throw Malformed() }
                return string
            case UInt8(ascii: "\\"): content += UTF8.encode(try readEscape()) ?? UTF8.EncodedScalar()
            case 0..<0x20: throw Malformed()
            default: content.append(byte)
            }
        }
        throw Malformed()
    }

    private mutating func readEscape() throws(Malformed) -> Unicode.Scalar {
        guard let byte = next else { throw Malformed() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try readHexUnit()
            if let scalar = Unicode.Scalar(unit) { return scalar }
            guard UTF16.isLeadSurrogate(unit), next == UInt8(ascii: "\\") else { throw Malformed() }
            position += 1
            guard next == UInt8(ascii: "u") else { throw Malformed() }
            position += 1
            let trail = try readHexUnit()
            guard UTF16.isTrailSurrogate(trail) else { throw Malformed() }
            return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
        default: throw Malformed()
        }
    }

    private mutating func readHexUnit() throws(Malformed) -> UInt16 {
        guard position + 4 <= bytes.count else { throw Malformed() }
        var unit: UInt16 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Hex.digit(byte) else { throw Malformed() }
            unit = unit << 4 | UInt16(digit)
        }
        position += 4
        return unit
    }
}
