/// Byte classes as bit sets over ASCII: two registers, where a table would be a load.
extension UInt8 {
    /// NameContinue : Letter | Digit | `_`
    @inline(__always)
    var isNameContinue: Bool {
        let mask: UInt64 = self < 64 ? 0x03FF_0000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
        return self < 128 && (mask &>> UInt64(self & 63)) & 1 == 1
    }

    /// NameStart : Letter | `_`
    @inline(__always)
    var isNameStart: Bool { isNameContinue && self >= 64 }

    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }

    /// Space, tab and comma.
    @inline(__always)
    var isInsignificant: Bool { self == 0x20 || self == 0x09 || self == 0x2C }

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
