import Foundation

/// Ids that a client makes, so that an object has its id before the server knows of it.
/// Source: TypeID 0.3.0; RFC 9562, 5.7 (UUID version 7)
public enum NewID {
    /// A new id of a type, such as `thought_01k9x3c5e8f5vbm0y3h6q2r7zt`.
    ///
    /// - Parameter prefix: the type's, such as `thought`.
    public static func make(_ prefix: String) -> String {
        make(
            prefix, milliseconds: UInt64(Date.now.timeIntervalSince1970 * 1000),
            random: (.random(in: 0...(.max)), .random(in: 0...(.max))))
    }

    static func make(_ prefix: String, milliseconds: UInt64, random: (UInt64, UInt64)) -> String {
        let high = milliseconds << 16 | 0x7000 | random.0 & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
        // 128 bits in 26 digits of 5 bits: the first digit has the 3 highest bits.
        let digits = (0..<26).map { index in
            let shift = 125 - 5 * index
            let bits =
                shift >= 64
                ? high >> UInt64(shift - 64)
                : low >> UInt64(shift) | (shift > 59 ? high << UInt64(64 - shift) : 0)
            return alphabet[Int(bits & 31)]
        }
        return prefix + "_" + String(decoding: digits, as: UTF8.self)
    }

    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
