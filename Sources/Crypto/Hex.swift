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
            guard let value = value(of: character) else { return nil }
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

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
