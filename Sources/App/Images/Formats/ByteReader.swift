/// Reads untrusted bytes in order. A read beyond the end throws `ImageError.damaged`.
struct ByteReader {
    let bytes: [UInt8]
    private(set) var position: Int
    let end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    var remaining: Int { end - position }

    /// A reader of the next `count` bytes, which are passed.
    mutating func part(_ count: Int) throws(ImageError) -> ByteReader {
        ByteReader(bytes, try advance(count))
    }

    mutating func take(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> { bytes[try advance(count)] }

    mutating func skip(_ count: Int) throws(ImageError) { _ = try advance(count) }

    mutating func byte() throws(ImageError) -> UInt8 { bytes[try advance(1).lowerBound] }

    mutating func bigEndian16() throws(ImageError) -> Int { try number(2) { $0 << 8 | $1 } }
    mutating func bigEndian32() throws(ImageError) -> Int { try number(4) { $0 << 8 | $1 } }

    mutating func littleEndian16() throws(ImageError) -> Int { try littleEndian(2) }
    mutating func littleEndian24() throws(ImageError) -> Int { try littleEndian(3) }
    mutating func littleEndian32() throws(ImageError) -> Int { try littleEndian(4) }

    /// Passes the bytes `expected` if they come next.
    /// - Returns: whether they do.
    mutating func pass(_ expected: [UInt8]) -> Bool {
        guard remaining >= expected.count, bytes[position..<position + expected.count].elementsEqual(expected) else {
            return false
        }
        position += expected.count
        return true
    }

    private mutating func advance(_ count: Int) throws(ImageError) -> Range<Int> {
        guard count >= 0, count <= remaining else { throw .damaged }
        defer { position += count }
        return position..<position + count
    }

    private mutating func number(_ count: Int, _ joined: (Int, Int) -> Int) throws(ImageError) -> Int {
        bytes[try advance(count)].reduce(0) { joined($0, Int($1)) }
    }

    private mutating func littleEndian(_ count: Int) throws(ImageError) -> Int {
        bytes[try advance(count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension [UInt8] {
    mutating func appendBigEndian16(_ number: Int) {
        append(contentsOf: [UInt8(number >> 8 & 255), UInt8(number & 255)])
    }

    mutating func appendBigEndian32(_ number: Int) {
        appendBigEndian16(number >> 16)
        appendBigEndian16(number)
    }

    mutating func appendLittleEndian24(_ number: Int) {
        for shift in [0, 8, 16] { append(UInt8(number >> shift & 255)) }
    }

    mutating func appendLittleEndian32(_ number: Int) {
        appendLittleEndian24(number)
        append(UInt8(number >> 24 & 255))
    }
}
