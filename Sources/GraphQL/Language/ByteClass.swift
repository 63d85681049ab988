/// The class of each byte: `_` is ignored, `n` starts a name, `o` (a digit) continues one, `.` is the rest.
/// Letters that may be in a name come last in the alphabet, so that one comparison finds them.
/// Spec: 2.1 Source Text
let byteClasses: StaticString = """
    .........__.._.................._..........._...oooooooooo......\
    .nnnnnnnnnnnnnnnnnnnnnnnnnn....n.nnnnnnnnnnnnnnnnnnnnnnnnnn.....\
    ................................................................\
    ................................................................
    """

enum ByteClass {
    static let ignored = UInt8(ascii: "_")
    static let nameStart = UInt8(ascii: "n")
}

extension UInt8 {
    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }

    /// NameStart : Letter | `_`
    var isNameStart: Bool { byteClasses.utf8Start[Int(self)] == ByteClass.nameStart }

    @inline(__always)
    var isLineTerminator: Bool { self == 0x0A || self == 0x0D }

    /// The value of a hexadecimal digit.
    var hexDigit: UInt32? {
        switch self {
        case 0x30...0x39: UInt32(self - 0x30)
        case 0x41...0x46: UInt32(self - 0x41 + 10)
        case 0x61...0x66: UInt32(self - 0x61 + 10)
        default: nil
        }
    }
}
