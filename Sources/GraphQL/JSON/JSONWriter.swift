/// Writes JSON text into one growing buffer. The caller writes commas, colons and brackets with ``append(_:)-(UInt8)``,
/// and takes back what it wrote with ``truncate(to:)``.
/// Spec: RFC 8259
public struct JSONWriter: ~Copyable {
    /// The writer allocates its memory itself and uses no array: an array checks at each append whether it is uniquely
    /// referenced, and most appends are of a few bytes.
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    /// The number of bytes written.
    public internal(set) var count = 0

    /// - Parameter capacity: in bytes.
    public init(capacity: Int = 0) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// A copy of the bytes written.
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// The bytes written, without a copy.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Takes back all but the first `count` bytes.
    public mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "Only what was written can be taken back.")
        self.count = count
    }

    /// Takes back everything, and keeps the capacity.
    public mutating func removeAll() { count = 0 }

    /// Makes room for `capacity` bytes in all.
    public mutating func reserveCapacity(_ capacity: Int) {
        if capacity > self.capacity { grow(to: capacity) }
    }

    /// Makes room for `additional` bytes.
    /// - Returns: the place of the first of them.
    @inline(__always)
    mutating func room(for additional: Int) -> UnsafeMutablePointer<UInt8> {
        if additional > capacity &- count { grow(to: max(capacity * 2, count + additional)) }
        return start + count
    }

    @inline(never)
    private mutating func grow(to capacity: Int) {
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        grown.update(from: start, count: count)
        start.deallocate()
        start = grown
        self.capacity = capacity
    }

    // MARK: - Text that is JSON already

    /// Appends a byte of JSON text, such as a bracket.
    public mutating func append(_ byte: UInt8) {
        room(for: 1).pointee = byte
        count &+= 1
    }

    /// Appends JSON text.
    public mutating func append(_ text: [UInt8]) { text.withUnsafeBytes { append($0) } }

    /// Appends JSON text.
    public mutating func append(_ text: UnsafeRawBufferPointer) {
        guard let source = text.baseAddress else { return }
        UnsafeMutableRawPointer(room(for: text.count)).copyMemory(from: source, byteCount: text.count)
        count &+= text.count
    }

    /// Appends the first `count` bytes of a source from which at least 16 bytes may be read. Most prefixes of
    /// `OperationPlan` have at most 16 bytes, and two loads and two stores copy them without a call of memcpy.
    @inline(__always)
    mutating func append(padded source: UnsafeRawPointer, count length: Int) {
        let target = UnsafeMutableRawPointer(room(for: max(length, 16)))
        if length <= 16 {
            target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
            let rest = source.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            target.storeBytes(of: rest, toByteOffset: 8, as: UInt64.self)
        } else {
            target.copyMemory(from: source, byteCount: length)
        }
        count &+= length
    }

    /// Appends JSON text.
    public mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    // MARK: - Values

    /// Writes `null`.
    public mutating func writeNull() { append(word: 0x6C6C_756E, count: 4) }

    /// Writes `true` or `false`.
    public mutating func write(_ value: Bool) {
        if value { append(word: 0x6575_7274, count: 4) } else { append(word: 0x65_736C_6166, count: 5) }
    }

    /// Appends the low bytes of a word, the lowest first.
    @inline(__always)
    private mutating func append(word: UInt64, count length: Int) {
        UnsafeMutableRawPointer(room(for: 8)).storeBytes(of: word.littleEndian, as: UInt64.self)
        count &+= length
    }

    /// Writes an integer.
    public mutating func write(_ value: Int) {
        let end = room(for: 20) + 20
        let digits = writeDigits(of: value.magnitude, before: end)
        let isNegative = value < 0
        if isNegative { (end - digits - 1).pointee = UInt8(ascii: "-") }
        let length = isNegative ? digits &+ 1 : digits
        (start + count).update(from: end - length, count: length)
        count &+= length
    }

    /// Writes the shortest digits that read back as the same number. An integral number of a magnitude below 2^53 has
    /// no fraction and no exponent, except for -0, which is `-0.0`. Infinities and NaN, which JSON does not have,
    /// become `null`.
    public mutating func write(_ value: Double) {
        guard value.isFinite else { return writeNull() }
        if value.magnitude < 0x1p53 {
            let integer = Int(value)
            if Double(integer) == value, value != 0 || value.sign == .plus { return write(integer) }
            if writeThousandths(value) { return }
        }
        var text = value.description
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a number with one to three decimals and a magnitude below 10^12, and returns false for every other
    /// number. A decimal of 15 digits or fewer is the shortest text that reads back as its number.
    private mutating func writeThousandths(_ value: Double) -> Bool {
        guard value.magnitude < 1e12 else { return false }
        let thousandths = Int(value * 1000 + (value < 0 ? -0.5 : 0.5))
        guard Double(thousandths) / 1000 == value, thousandths != 0 else { return false }
        if value < 0 { append(UInt8(ascii: "-")) }
        let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        write(Int(bitPattern: whole))
        let digits = room(for: 4)
        digits[0] = UInt8(ascii: ".")
        digits[1] = UInt8(truncatingIfNeeded: fraction / 100) &+ 0x30
        digits[2] = UInt8(truncatingIfNeeded: fraction / 10 % 10) &+ 0x30
        digits[3] = UInt8(truncatingIfNeeded: fraction % 10) &+ 0x30
        count &+= fraction % 100 == 0 ? 2 : fraction % 10 == 0 ? 3 : 4
        return true
    }

    /// Writes a value; an upload or a secret becomes `null`.
    public mutating func write(_ value: InputValue) {
        switch value {
        case .null: writeNull()
        case .int(let value): write(value)
        case .float(let value): write(value)
        case .string(let value), .enumeration(let value): write(value)
        case .boolean(let value): write(value)
        case .list(let values): write(values)
        case .object(let object): write(object)
        // A multipart request, too, has null in its operations where a file belongs. A secret must not be written.
        case .upload, .secret: writeNull()
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

    /// Writes an object with its fields in their order.
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

    // MARK: - Strings

    /// Writes a string with its quotation marks.
    public mutating func write(_ value: String) {
        // Only a bridged string is not contiguous.
        if value.utf8.withContiguousStorageIfAvailable({ write(utf8: UnsafeRawBufferPointer($0)) }) != nil { return }
        var value = value
        value.withUTF8 { write(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string with its quotation marks.
    /// - Parameter utf8: valid UTF-8, which is not checked.
    public mutating func write(utf8: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        var start = appendUnescaped(utf8)
        while start < utf8.count {
            writeEscape(utf8[start])
            start &+= 1
            start &+= appendUnescaped(UnsafeRawBufferPointer(rebasing: utf8[start...]))
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends the bytes before the first one that must be escaped, eight at a time; the last eight overlap those
    /// before.
    /// - Returns: the number of bytes appended.
    @inline(__always)
    private mutating func appendUnescaped(_ text: UnsafeRawBufferPointer) -> Int {
        let target = UnsafeMutableRawPointer(room(for: text.count))
        var position = 0
        while position < text.count {
            let next = text.count < 8 ? position : min(position, text.count &- 8)
            guard next &+ 8 <= text.count else { break }
            let word = text.loadUnaligned(fromByteOffset: next, as: UInt64.self)
            if word.hasByteToEscape { break }
            target.storeBytes(of: word, toByteOffset: next, as: UInt64.self)
            position = next &+ 8
        }
        while position < text.count, !text[position].isEscapedInJSON {
            target.storeBytes(of: text[position], toByteOffset: position, as: UInt8.self)
            position &+= 1
        }
        count &+= position
        return position
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
}

/// The buffer has one owner, the writer.
extension JSONWriter: @unchecked Sendable {}

/// Writes decimal digits backwards and returns how many.
@inline(__always)
private func writeDigits(of magnitude: UInt, before end: UnsafeMutablePointer<UInt8>) -> Int {
    var magnitude = magnitude
    var length = 0
    repeat {
        let (quotient, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
        length &+= 1
        (end - length).pointee = UInt8(truncatingIfNeeded: digit) &+ 0x30
        magnitude = quotient
    } while magnitude > 0
    return length
}

extension UInt64 {
    /// True where one of the eight bytes must be escaped in a JSON string.
    @inline(__always)
    var hasByteToEscape: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits: UInt64 = 0x8080_8080_8080_8080
        let quote = self ^ (ones &* 0x22)
        let backslash = self ^ (ones &* 0x5C)
        let control = (self &- ones &* 0x20) & ~self
        return (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highBits != 0
    }
}

extension UInt8 {
    @inline(__always)
    var isEscapedInJSON: Bool { self < 0x20 || self == 0x22 || self == 0x5C }
}
