/// A message of the server, in the memory that it was read into.
///
/// PostgreSQL's manual, "Message Formats".
struct BackendMessage {
    enum Kind: UInt8 {
        case authentication = 0x52  // R
        case backendKeyData = 0x4B  // K
        case bindComplete = 0x32  // 2
        case closeComplete = 0x33  // 3
        case commandComplete = 0x43  // C
        case dataRow = 0x44  // D
        case emptyQueryResponse = 0x49  // I
        case errorResponse = 0x45  // E
        case noData = 0x6E  // n
        case noticeResponse = 0x4E  // N
        case notificationResponse = 0x41  // A
        case parameterDescription = 0x74  // t
        case parameterStatus = 0x53  // S
        case parseComplete = 0x31  // 1
        case readyForQuery = 0x5A  // Z
        case rowDescription = 0x54  // T
    }

    /// The longest message that is read: PostgreSQL's `MaxAllocSize`.
    private static let longest = 0x3FFF_FFFF

    /// nil for a message that a session in pipeline mode never gets, such as those of COPY.
    let kind: Kind?
    let body: UnsafeRawBufferPointer
    /// With the kind and the length in front of the body.
    let size: Int

    enum Next {
        case message(BackendMessage)
        /// The message has not arrived as a whole.
        case incomplete
        /// The length is impossible.
        case malformed
    }

    /// The message at the start of `input`.
    static func first(in input: UnsafeRawBufferPointer) -> Next {
        guard input.count >= 5 else { return .incomplete }
        let length = Int(Int32(bigEndian: input.loadUnaligned(fromByteOffset: 1, as: Int32.self)))
        guard length >= 4, length <= longest else { return .malformed }
        guard input.count > length else { return .incomplete }
        return .message(
            BackendMessage(
                kind: Kind(rawValue: input[0]), body: UnsafeRawBufferPointer(rebasing: input[5..<1 + length]),
                size: 1 + length))
    }

    // MARK: Bodies

    /// The types of a RowDescription's columns; nil where the body is malformed.
    var columnTypes: [UInt32]? {
        guard body.count >= 2 else { return nil }
        let count = Int(UInt16(bigEndian: body.loadUnaligned(as: UInt16.self)))
        var types: [UInt32] = []
        types.reserveCapacity(count)
        var offset = 2
        for _ in 0..<count {
            while offset < body.count, body[offset] != 0 { offset += 1 }
            // After the name: the table's OID, the column's number, the type's OID, and eight bytes more.
            guard offset + 19 <= body.count else { return nil }
            types.append(UInt32(bigEndian: body.loadUnaligned(fromByteOffset: offset + 7, as: UInt32.self)))
            offset += 19
        }
        return types
    }

    /// The number at the end of a CommandComplete's tag, such as `INSERT 0 2`; 0 where there is none.
    var affected: Int {
        var number = 0
        var factor = 1
        for byte in body.dropLast().reversed() {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), factor < 1_000_000_000_000_000_000 else {
                return byte == UInt8(ascii: " ") ? number : 0
            }
            number += Int(byte - UInt8(ascii: "0")) * factor
            factor *= 10
        }
        return 0
    }

    /// A ReadyForQuery's status: whether no transaction is open.
    var saysIdle: Bool { body.first == UInt8(ascii: "I") }

    /// An ErrorResponse's field by its code, such as `C` for the SQLSTATE.
    func field(_ code: UInt8) -> String? {
        var offset = 0
        while offset < body.count, body[offset] != 0 {
            var end = offset + 1
            while end < body.count, body[end] != 0 { end += 1 }
            if body[offset] == code {
                return String(decoding: UnsafeRawBufferPointer(rebasing: body[offset + 1..<end]), as: UTF8.self)
            }
            offset = end + 1
        }
        return nil
    }
}
