/// The position of the next byte that cannot stand in a JSON string as it is: a control character, `"` or `\`.
/// Returns the buffer's count if there is none. Eight bytes are looked at together.
/// Spec: RFC 8259, section 7
func nextJSONEscape(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highBits: UInt64 = 0x8080_8080_8080_8080
    var position = start
    while position &+ 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let control = (word &- ones &* 0x20) & ~word
        if (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highBits != 0 { break }
        position &+= 8
    }
    while position < bytes.count {
        let byte = bytes[position]
        if byte < 0x20 || byte == 0x22 || byte == 0x5C { return position }
        position &+= 1
    }
    return position
}
