/// GraphQL text as UTF-8 bytes, with the name that tools print before a position.
public struct Source: Sendable {
    /// UTF-8; the parser refuses bytes that are not.
    public let bytes: [UInt8]
    /// The name of the file, or a phrase for a text that is no file, such as "GraphQL request".
    public let name: String

    public init(_ bytes: [UInt8], name: String = "GraphQL request") {
        self.bytes = bytes
        self.name = name
    }

    public init(_ text: String, name: String = "GraphQL request") {
        self.init(Array(text.utf8), name: name)
    }
}

/// A place in a ``Source``, as a byte offset. Line and column are computed only when an error is reported.
public struct Location: Hashable, Sendable {
    /// In bytes, from 0.
    public let offset: Int32

    public init(offset: Int) { self.offset = Int32(truncatingIfNeeded: offset) }

    /// The place of nodes that were built by code and not parsed.
    public static let none = Location(offset: -1)
}

/// A line and a column, both counted from 1. Columns count UTF-16 code units, as clients' editors do.
public struct SourceLocation: Hashable, Sendable {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension Source {
    /// The line and column of a node. Lines end at `\n`, `\r\n` or `\r`; columns count UTF-16 code units.
    /// Spec: 2.1.2 Line Terminators
    public func location(of location: Location) -> SourceLocation {
        bytes.withUnsafeBufferPointer { SourceLocation(in: $0, at: Int(location.offset)) }
    }

    /// The lines and columns of many nodes, in one pass over the text.
    func locations(of locations: [Location]) -> [SourceLocation] {
        bytes.withUnsafeBufferPointer { bytes in
            var scan = LocationScan(bytes)
            var found = [SourceLocation](repeating: SourceLocation(line: 1, column: 1), count: locations.count)
            for index in locations.indices.sorted(by: { locations[$0].offset < locations[$1].offset }) {
                found[index] = scan.location(at: Int(locations[index].offset))
            }
            return found
        }
    }
}

extension SourceLocation {
    init(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        var scan = LocationScan(bytes)
        self = scan.location(at: offset)
    }
}

/// Finds lines and columns of offsets that come in ascending order.
private struct LocationScan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var line = 1
    private var position = 0
    private var column = 1
    /// The position up to which the columns of the line were counted.
    private var columnPosition = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func location(at offset: Int) -> SourceLocation {
        let offset = min(max(offset, 0), bytes.count)
        while position < offset {
            let byte = bytes[position]
            position += 1
            guard byte.isLineTerminator else { continue }
            if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
            line += 1
            column = 1
            columnPosition = position
        }
        while columnPosition < offset {
            let sequence = UTF8Sequence(bytes, at: columnPosition)
            columnPosition += sequence.length
            column += sequence.utf16Length
        }
        return SourceLocation(line: line, column: column)
    }
}

// MARK: - Bytes and characters

/// The class of each byte. `_`: the byte is ignored. `n`: it may start a name. `o`: it is a digit, which may stand in a
/// name but not start it. `.`: any other byte. `n` and `o` compare greater than the other two, so that one comparison
/// finds the bytes of names.
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

/// The code point that a sequence of bytes encodes.
/// Spec: The Unicode Standard 3.9, table 3-7 "Well-Formed UTF-8 Byte Sequences"
enum UTF8Sequence {
    case scalar(UInt32, length: Int)
    /// A surrogate code point in three bytes: ill-formed, but errors can name it.
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
