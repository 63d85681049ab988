/// What one sequence of bytes stands for.
/// Spec: The Unicode Standard 3.9, table 3-7 "Well-Formed UTF-8 Byte Sequences"
enum UTF8Sequence {
    case scalar(UInt32, length: Int)
    /// A surrogate code point put into three bytes: ill-formed, but errors can name it.
    case surrogate(UInt32)
    case invalid(UInt8)

    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        let first = bytes[position]
        func continuation(_ index: Int) -> UInt32? {
            guard position + index < bytes.count, bytes[position + index] & 0xC0 == 0x80 else { return nil }
            return UInt32(bytes[position + index] & 0x3F)
        }
        self = .invalid(first)
        switch first {
        case 0..<0x80:
            self = .scalar(UInt32(first), length: 1)
        case 0xC2...0xDF:
            guard let second = continuation(1) else { return }
            self = .scalar(UInt32(first & 0x1F) << 6 | second, length: 2)
        case 0xE0...0xEF:
            guard let second = continuation(1), let third = continuation(2) else { return }
            let value = UInt32(first & 0x0F) << 12 | second << 6 | third
            if value >= 0x800 { self = value & 0xF800 == 0xD800 ? .surrogate(value) : .scalar(value, length: 3) }
        case 0xF0...0xF4:
            guard let second = continuation(1), let third = continuation(2), let fourth = continuation(3) else {
                return
            }
            let value = UInt32(first & 0x07) << 18 | second << 12 | third << 6 | fourth
            if value >= 0x10000, value <= 0x10FFFF { self = .scalar(value, length: 4) }
        default:
            break
        }
    }

    /// In bytes.
    var length: Int {
        switch self {
        case .scalar(_, let length): length
        case .surrogate: 3
        case .invalid: 1
        }
    }

    var utf16Length: Int { length == 4 ? 2 : 1 }
}
