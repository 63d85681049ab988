import Postgres

/// Encodes 128 bits as 26 characters of Crockford's base 32 in lower case.
/// Source: the TypeID specification 0.3.0
enum Base32 {
    private static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        alphabet.withUTF8Buffer { for (value, character) in $0.enumerated() { values[Int(character)] = UInt8(value) } }
        return values
    }()

    /// - Parameter buffer: room for 26 bytes.
    static func encode(_ uuid: UUID, into buffer: UnsafeMutableRawBufferPointer) {
        let characters = alphabet.utf8Start
        var (high, low) = (uuid.high, uuid.low)
        for position in stride(from: 25, through: 0, by: -1) {
            buffer[position] = characters[Int(low & 31)]
            low = low >> 5 | high << 59
            high >>= 5
        }
    }

    /// nil unless `text` has 26 characters of the alphabet that encode no more than 128 bits.
    static func decode(_ text: some Collection<UInt8>) -> UUID? {
        guard text.count == 26, let first = text.first, values[Int(first)] < 8 else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for character in text {
            let value = values[Int(character)]
            guard value < 32 else { return nil }
            high = high << 5 | low >> 59
            low = low << 5 | UInt64(value)
        }
        return UUID(high: high, low: low)
    }
}
