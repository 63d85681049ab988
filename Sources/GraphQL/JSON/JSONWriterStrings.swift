extension JSONWriter {
    /// A string with its quotation marks.
    public mutating func write(_ value: String) {
        // Only a bridged string is not contiguous.
        if value.utf8.withContiguousStorageIfAvailable({ write(utf8: UnsafeRawBufferPointer($0)) }) != nil { return }
        var value = value
        value.withUTF8 { write(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// A string with its quotation marks, from UTF-8 that the caller knows to be valid.
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

    /// Appends the bytes before the first that must be escaped and returns how many. Looks at eight together, in the
    /// pass that copies them; the last eight overlap those before.
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

extension UInt64 {
    /// Whether one of eight bytes cannot stand in a JSON string as it is.
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
