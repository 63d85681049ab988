/// A universally unique identifier of 16 bytes. It is ordered by its bytes, as PostgreSQL's `uuid` is. RFC 9562.
public struct UUID: Sendable, Hashable, Comparable {
    /// The first eight bytes in network order.
    public var high: UInt64
    /// The last eight bytes in network order.
    public var low: UInt64

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A UUID of version 7: the milliseconds since 1970, then 74 of the random bits.
    ///
    /// RFC 9562, section 5.7.
    @inlinable
    public static func v7(now milliseconds: Int64, random: (UInt64, UInt64)) -> UUID {
        UUID(
            high: UInt64(bitPattern: milliseconds) << 16 | 0x7000 | (random.0 & 0x0FFF),
            low: random.1 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    @inlinable
    public static func v7(
        now milliseconds: Int64, using generator: inout some RandomNumberGenerator
    ) -> UUID {
        v7(now: milliseconds, random: (generator.next(), generator.next()))
    }

    /// The version's four bits.
    public var version: Int { Int(high >> 12 & 0xF) }

    @inlinable
    public static func < (left: UUID, right: UUID) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}

extension UUID: CustomStringConvertible, LosslessStringConvertible {
    /// Parses the text form `8-4-4-4-12`, in upper or lower case; nil for anything else.
    public init?(_ text: String) {
        var text = text
        guard let parsed = text.withUTF8({ UUID(text: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = parsed
    }

    /// The text form as UTF-8 bytes; nil for anything else.
    public init?(text bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 36 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for position in 0..<36 {
            let byte = bytes[position]
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            if digits < 16 { words.0 = words.0 << 4 | UInt64(digit) } else { words.1 = words.1 << 4 | UInt64(digit) }
            digits += 1
        }
        self.init(high: words.0, low: words.1)
    }

    public var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            write(into: UnsafeMutableRawBufferPointer(buffer))
            return 36
        }
    }

    /// Writes the 36 bytes of the text form, in lower case; `buffer` holds at least as many.
    public func write(into buffer: UnsafeMutableRawBufferPointer) {
        var position = 0
        for nibble in 0..<32 {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                buffer[position] = UInt8(ascii: "-")
                position += 1
            }
            let word = nibble < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (nibble & 15)) & 0xF)
            buffer[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            position += 1
        }
    }
}
