/// Writes JSON text into one growing buffer. Commas, colons and brackets are the caller's: a response is written as
/// `append("{")`, an encoded key, a value, `append(",")` and so on, and rolled back with `truncate(to:)`.
/// Spec: RFC 8259
public struct JSONWriter: ~Copyable {
    /// Memory of its own, not an array's: most appends are of a few bytes, and an array would ask each time whether it
    /// is uniquely referenced.
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    /// The number of bytes written.
    public internal(set) var count = 0

    public init(capacity: Int = 0) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// A copy of what was written.
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Takes back everything that was written after a moment when `count` was `count`.
    public mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "Only what was written can be taken back.")
        self.count = count
    }

    public mutating func removeAll() { count = 0 }

    public mutating func reserveCapacity(_ capacity: Int) {
        if capacity > self.capacity { grow(to: capacity) }
    }

    /// Makes room for `additional` bytes and returns where they go.
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

    // MARK: - JSON text as it is

    public mutating func append(_ byte: UInt8) {
        room(for: 1).pointee = byte
        count &+= 1
    }

    public mutating func append(_ text: [UInt8]) { text.withUnsafeBytes { append($0) } }

    public mutating func append(_ text: UnsafeRawBufferPointer) {
        guard let source = text.baseAddress else { return }
        UnsafeMutableRawPointer(room(for: text.count)).copyMemory(from: source, byteCount: text.count)
        count &+= text.count
    }

    /// Appends the first `count` bytes of a source of which 16 may be read: most are fewer, and then two instructions
    /// do what a call of memcpy would.
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

    public mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    // MARK: - Values

    public mutating func writeNull() { append(word: 0x6C6C_756E, count: 4) }

    public mutating func write(_ value: Bool) {
        if value { append(word: 0x6575_7274, count: 4) } else { append(word: 0x65_736C_6166, count: 5) }
    }

    /// Appends the low bytes of a word, the lowest first.
    @inline(__always)
    private mutating func append(word: UInt64, count length: Int) {
        UnsafeMutableRawPointer(room(for: 8)).storeBytes(of: word.littleEndian, as: UInt64.self)
        count &+= length
    }

    public mutating func write(_ value: Int) {
        let end = room(for: 20) + 20
        let digits = writeDigits(of: value.magnitude, before: end)
        let isNegative = value < 0
        if isNegative { (end - digits - 1).pointee = UInt8(ascii: "-") }
        let length = isNegative ? digits &+ 1 : digits
        (start + count).update(from: end - length, count: length)
        count &+= length
    }

    /// The shortest digits that read back as the same number; integral ones below 2^53 without fraction or exponent.
    /// JSON has no word for infinities and NaN: they become `null`.
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

    /// Writes a number that is a decimal fraction of at most three digits. With 15 digits in all or fewer that text is
    /// the only one so short that reads back as the number, hence the shortest.
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

    public mutating func write(_ value: InputValue) {
        switch value {
        case .null: writeNull()
        case .int(let value): write(value)
        case .float(let value): write(value)
        case .string(let value), .enumeration(let value): write(value)
        case .boolean(let value): write(value)
        case .list(let values): write(values)
        case .object(let object): write(object)
        // A file as in the operations of a multipart request.
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
