import Cryptography

/// The header of a part: its name, file name and type. The name has to be exact; of the rest, what cannot be read is
/// replaced or left out, because clients write file names in the encodings of their systems.
/// RFC 7578, 4 Definition of multipart/form-data
struct PartHeader: Equatable {
    /// The name of the form field; nil where the header has none.
    private(set) var name: String?
    /// The file name as the client wrote it; nil where the part is no file. Bytes that are not UTF-8 are replaced by U+FFFD.
    private(set) var filename: String?
    private(set) var contentType: String?
    private var hasDisposition = false

    /// Reads a line of the header, without its CRLF.
    mutating func read(_ line: [UInt8]) throws(MultipartError) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = trimmed(line[(colon + 1)...])
        switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
        case "content-disposition": try readDisposition(value)
        case "content-type": contentType = String(decoding: value, as: UTF8.self)
        case "content-transfer-encoding":
            // RFC 7578, 4.7: deprecated. Encodings that leave the bytes as they are do no harm.
            guard ["7bit", "8bit", "binary"].contains(String(decoding: value, as: UTF8.self).lowercased()) else {
                throw .malformed("A part's content cannot have a transfer encoding.")
            }
        default: break
        }
    }

    /// RFC 7578, 4.2 Content-Disposition Header Field for Each Part
    private mutating func readDisposition(_ value: ArraySlice<UInt8>) throws(MultipartError) {
        var parameters = HeaderParameters(value)
        guard !hasDisposition, parameters.readValue().lowercased() == "form-data" else {
            throw .malformed("A part's disposition is not form-data, once.")
        }
        hasDisposition = true
        var extendedFilename: String?
        while let parameter = parameters.next() {
            switch parameter.name {
            case "name":
                guard parameter.isExact, let text = String(validating: parameter.value, as: UTF8.self) else {
                    throw .malformed("The name of a part is malformed.")
                }
                guard name == nil else { throw .malformed("A part's disposition gives \"name\" twice.") }
                name = text
            case "filename" where filename == nil: filename = String(decoding: parameter.value, as: UTF8.self)
            case "filename*" where extendedFilename == nil:
                extendedFilename = Self.extendedValue(parameter.value)
            default: break
            }
        }
        filename = filename ?? extendedFilename
    }

    /// RFC 8187, 3.2.1: the charset, the language, and the text with percent signs. RFC 7578 forbids it, and older
    /// versions of Python's urllib3 send it alone.
    private static func extendedValue(_ value: [UInt8]) -> String {
        let quote = UInt8(ascii: "'")
        let text = value.split(separator: quote, maxSplits: 2, omittingEmptySubsequences: false).last ?? []
        var decoded: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(Hex.digit)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                decoded.append(digits[0] << 4 | digits[1])
                rest.removeFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}

/// The parameters of a header's value.
/// WHATWG HTML, 4.10.21.8 Multipart form data: how browsers escape names
private struct HeaderParameters {
    struct Parameter {
        /// In lower case.
        let name: String
        let value: [UInt8]
        /// False where the value is no token and no quoted string.
        let isExact: Bool
    }

    private static let semicolon = UInt8(ascii: ";")
    private var rest: ArraySlice<UInt8>
    /// True if the rest was searched for the end of a string without escapes, and has none. Without it a header of many open
    /// quotation marks would be searched anew for each.
    private var isSearched = false

    init(_ value: ArraySlice<UInt8>) { rest = value }

    /// Reads the value before the parameters.
    mutating func readValue() -> String { String(decoding: trimmed(readToSemicolon()), as: UTF8.self) }

    /// The next parameter with a value; nil at the end.
    mutating func next() -> Parameter? {
        while rest.popFirst() != nil {
            rest = rest.drop(while: isSpaceByte)
            let name = rest.prefix(while: isTokenByte)
            guard !name.isEmpty, rest.dropFirst(name.count).first == UInt8(ascii: "=") else {
                _ = readToSemicolon()
                continue
            }
            rest = rest.dropFirst(name.count + 1)
            let (value, isExact) = readParameterValue()
            return Parameter(
                name: String(decoding: name, as: UTF8.self).lowercased(), value: value, isExact: isExact)
        }
        return nil
    }

    private mutating func readParameterValue() -> (value: [UInt8], isExact: Bool) {
        guard rest.first == UInt8(ascii: "\"") else {
            let value = trimmed(readToSemicolon())
            return (Array(value), value.allSatisfy(isTokenByte))
        }
        rest.removeFirst()
        if let value = readQuoted(hasEscapes: true) { return (value, true) }
        // The last byte of a character in Shift JIS may be a backslash, which then escapes nothing.
        if !isSearched, let value = readQuoted(hasEscapes: false) { return (value, false) }
        isSearched = true
        return (Array(readToSemicolon()), false)
    }

    /// Reads the rest of a quoted string, up to its end or a semicolon. A backslash escapes only a quote or a backslash,
    /// since a Windows path has other backslashes unescaped.
    /// - Returns: nil where no such string follows; nothing is read then.
    private mutating func readQuoted(hasEscapes: Bool) -> [UInt8]? {
        var value: [UInt8] = []
        var walk = rest
        while let byte = walk.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                walk = walk.drop(while: isSpaceByte)
                if walk.isEmpty || walk.first == Self.semicolon {
                    rest = walk
                    return value
                }
                if hasEscapes { return nil }
                value.append(byte)
            case UInt8(ascii: "\\")
            where hasEscapes && (walk.first == UInt8(ascii: "\"") || walk.first == UInt8(ascii: "\\")):
                value.append(walk.removeFirst())
            case UInt8(ascii: "%") where walk.starts(with: "22".utf8):
                value.append(UInt8(ascii: "\""))
                walk.removeFirst(2)
            default: value.append(byte)
            }
        }
        return nil
    }

    private mutating func readToSemicolon() -> ArraySlice<UInt8> {
        let value = rest.prefix { $0 != Self.semicolon }
        rest = rest[value.endIndex...]
        return value
    }
}
