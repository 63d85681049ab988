/// A part of an HTML page. Interpolated strings are escaped; interpolated parts are inserted as they are. Unlike the
/// standard, the escaping includes the apostrophe and leaves out the no-break space.
/// Source: HTML Living Standard, 13.3 "Escaping a string", for text and for attributes in double quotation marks
struct HTML: ExpressibleByStringInterpolation, Sendable {
    private(set) var bytes: [UInt8]

    init(stringLiteral text: StaticString) {
        bytes = text.withUTF8Buffer { Array($0) }
    }

    init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + 64 * interpolationCount)
        }

        mutating func appendLiteral(_ text: StaticString) {
            text.withUTF8Buffer { bytes.append(contentsOf: $0) }
        }

        mutating func appendInterpolation(_ part: HTML) { bytes += part.bytes }

        mutating func appendInterpolation(_ part: HTML?) { bytes += part?.bytes ?? [] }

        mutating func appendInterpolation(_ text: String) {
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
                case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
                case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
                case UInt8(ascii: "\""): bytes += Array("&quot;".utf8)
                case UInt8(ascii: "'"): bytes += Array("&#39;".utf8)
                default: bytes.append(byte)
                }
            }
        }
    }
}
