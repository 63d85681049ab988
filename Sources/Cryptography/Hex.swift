/// Bytes as hexadecimal digits, two a byte.
public enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// In lower case.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { output in
            var position = 0
            for byte in bytes {
                output[position] = digits[Int(byte >> 4)]
                output[position + 1] = digits[Int(byte & 15)]
                position += 2
            }
            return position
        }
    }

    /// nil for an odd number of digits or anything but digits; upper and lower case are accepted.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            guard let value = digit(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    /// The value of a digit of either case; nil for any other character.
    @inlinable
    public static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x41 + 10
        case 0x61...0x66: character - 0x61 + 10
        default: nil
        }
    }

    /// Writes the lowest digits of a number, the highest of them first.
    public static func write(
        _ number: UInt64, digits count: Int, into output: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) {
        var rest = number
        for position in (start..<start + count).reversed() {
            output[position] = digits[Int(rest & 15)]
            rest >>= 4
        }
    }
}
