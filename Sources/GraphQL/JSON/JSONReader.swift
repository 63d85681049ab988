/// Reads one JSON text. Integers that fit are `.int`, all other numbers `.float`; of two members with one name the
/// last counts. Refuses whatever RFC 8259 does not allow, byte-order marks, lone surrogates and infinite numbers.
/// - Parameter maxDepth: how deep arrays and objects may nest.
/// Spec: RFC 8259
public func parseJSON(_ bytes: UnsafeRawBufferPointer, maxDepth: Int = 64) throws(JSONError) -> InputValue {
    var reader = JSONReader(bytes, maxDepth: maxDepth)
    return try reader.readText()
}

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

    /// The byte at a position; 0, which no JSON text has, after the end.
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

    /// A scan for few members; a hash table for many, whose number is the client's to choose.
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
