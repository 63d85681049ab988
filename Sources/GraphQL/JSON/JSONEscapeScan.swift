/// The position of the next byte that cannot stand in a JSON string as it is: a control character, `"` or `\`.
/// Returns the buffer's count if there is none. Eight bytes are looked at together.
/// Spec: RFC 8259, section 7
func nextJSONEscape(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position &+ 8 <= bytes.count {
        if bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).hasByteToEscape { break }
        position &+= 8
    }
    while position < bytes.count, !bytes[position].isEscapedInJSON { position &+= 1 }
    return position
}
