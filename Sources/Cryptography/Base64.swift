/// Base 64 without padding, in one of the two alphabets of RFC 4648. Decoding is strict: no padding, no spaces, and
/// the unused bits of the last digit must be zero, so that each byte string has exactly one encoding.
public struct Base64: Sendable {
    /// RFC 4648, section 5; the encoding of JWS, RFC 7515.
    public static let url = Base64(last: "-_")
    /// RFC 4648, section 4; the encoding of PHC strings.
    public static let standard = Base64(last: "+/")

    private let digits: [UInt8]
    /// The value of each digit, by its ASCII code; 255 for other bytes.
    private let values: [UInt8]

    private init(last: StaticString) {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)"
        digits = Array(alphabet.utf8)
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        self.values = values
    }

    /// The digits, without padding.
    public func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encodedBytes(bytes), as: UTF8.self)
    }

    /// The digits as ASCII bytes.
    public func encodedBytes(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits = 0
        var pending: UInt32 = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                encoded.append(digits[Int(pending >> UInt32(bits) & 63)])
            }
        }
        if bits > 0 { encoded.append(digits[Int(pending << UInt32(6 - bits) & 63)]) }
        return encoded
    }

    /// nil unless `text` is the one encoding of some bytes.
    public func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    /// nil unless `text`, in ASCII bytes, is the one encoding of some bytes.
    public func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits = 0
        var pending: UInt32 = 0
        for digit in text {
            let value = values[Int(digit)]
            guard value != 255 else { return nil }
            pending = pending << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
            }
        }
        guard pending & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }
}
