/// Writes JSON text into one array of bytes. Commas, colons and brackets are the caller's: a response is written as
/// `append("{")`, an encoded key, a value, `append(",")` and so on, and rolled back with `truncate(to:)`.
/// Spec: RFC 8259
public struct JSONWriter: Sendable {
    public internal(set) var bytes: [UInt8] = []

    public init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    public var count: Int { bytes.count }

    public mutating func reserveCapacity(_ capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Takes back everything that was written after a moment when `count` was `count`.
    public mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    // MARK: - JSON text as it is

    public mutating func append(_ byte: UInt8) { bytes.append(byte) }

    public mutating func append(_ text: [UInt8]) { bytes.append(contentsOf: text) }

    public mutating func append(_ text: UnsafeRawBufferPointer) { bytes.append(contentsOf: text) }

    public mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    // MARK: - Values

    public mutating func writeNull() { append("null") }

    public mutating func write(_ value: Bool) { append(value ? "true" : "false") }

    public mutating func write(_ value: Int) {
        var magnitude = value.magnitude
        if value < 0 { append(UInt8(ascii: "-")) }
        if magnitude < 10 { return append(UInt8(truncatingIfNeeded: magnitude) + 0x30) }
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            var start = digits.count
            repeat {
                start -= 1
                let (quotient, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
                digits[start] = UInt8(truncatingIfNeeded: digit) + 0x30
                magnitude = quotient
            } while magnitude > 0
            append(UnsafeRawBufferPointer(rebasing: digits[start...]))
        }
    }

    /// The shortest digits that read back as the same number; integral ones below 2^53 without fraction or exponent.
    /// JSON has no word for infinities and NaN: they become `null`.
    public mutating func write(_ value: Double) {
        guard value.isFinite else { return writeNull() }
        if value.magnitude < 0x1p53, value == value.rounded(.towardZero), value != 0 || value.sign == .plus {
            return write(Int(value))
        }
        var text = value.description
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// A string with its quotation marks.
    public mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { write(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// A string with its quotation marks, from UTF-8 that the caller knows to be valid.
    public mutating func write(utf8: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        var start = 0
        while true {
            let end = nextJSONEscape(in: utf8, from: start)
            append(UnsafeRawBufferPointer(rebasing: utf8[start..<end]))
            if end == utf8.count { break }
            writeEscape(utf8[end])
            start = end + 1
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func writeEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        default:
            append("\\u00")
            append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let digit = byte & 0x0F
            append(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
        }
    }

    public mutating func write(_ value: InputValue) {
        switch value {
        case .null: writeNull()
        case .int(let value): write(value)
        case .float(let value): write(value)
        case .string(let value), .enumeration(let value): write(value)
        case .boolean(let value): write(value)
        case .list(let values): write(values)
        case .object(let object): write(object)
        }
    }

    private mutating func write(_ values: [InputValue]) {
        append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            write(value)
        }
        append(UInt8(ascii: "]"))
    }

    public mutating func write(_ object: InputObject) {
        append(UInt8(ascii: "{"))
        for (index, field) in object.fields.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            write(field.name)
            append(UInt8(ascii: ":"))
            write(field.value)
        }
        append(UInt8(ascii: "}"))
    }
}
