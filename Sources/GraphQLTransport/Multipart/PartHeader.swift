/// The header of a part: its name, file name and type.
/// RFC 7578, 4 Definition of multipart/form-data
struct PartHeader: Equatable {
    /// The name of the form field; nil where the header has none.
    private(set) var name: String?
    /// The file name as the client wrote it; nil where the part is no file.
    private(set) var filename: String?
    private(set) var contentType: String?
    private var hasDisposition = false

    /// Reads a line of the header, without its CRLF.
    mutating func read(_ line: [UInt8]) throws(MultipartError) {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw .malformed("A part's header is not UTF-8.")
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isTokenByte) else {
            throw .malformed("A part's header is malformed.")
        }
        let value = trimmed(parts[1])
        switch parts[0].lowercased() {
        case "content-disposition": try readDisposition(value)
        case "content-type": contentType = value
        case "content-transfer-encoding":
            // RFC 7578, 4.7: deprecated. Encodings that leave the bytes as they are do no harm.
            guard ["7bit", "8bit", "binary"].contains(value.lowercased()) else {
                throw .malformed("A part's content cannot have a transfer encoding.")
            }
        default: break
        }
    }

    /// RFC 7578, 4.2 Content-Disposition Header Field for Each Part
    private mutating func readDisposition(_ value: String) throws(MultipartError) {
        var parameters = HeaderParameters(value)
        guard !hasDisposition, parameters.readValue().lowercased() == "form-data" else {
            throw .malformed("A part's disposition is not form-data, once.")
        }
        hasDisposition = true
        while let parameter = try parameters.next() {
            switch parameter.name {
            case "name" where name == nil: name = parameter.value
            case "filename" where filename == nil: filename = parameter.value
            case "name", "filename": throw .malformed("A part's disposition gives \"\(parameter.name)\" twice.")
            default: break
            }
        }
    }
}

/// The parameters of a header's value.
/// WHATWG HTML, 4.10.21.8 Multipart form data: how browsers escape names
private struct HeaderParameters {
    private var rest: ArraySlice<UInt8>

    init(_ value: String) { rest = Array(value.utf8)[...] }

    /// Reads the value before the parameters.
    mutating func readValue() -> String {
        let value = rest.prefix { $0 != UInt8(ascii: ";") }
        rest = rest[value.endIndex...]
        return trimmed(String(decoding: value, as: UTF8.self))
    }

    /// The next parameter; nil at the end.
    mutating func next() throws(MultipartError) -> (name: String, value: String)? {
        skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard rest.popFirst() == UInt8(ascii: ";") else { return nil }
        skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if rest.isEmpty { return nil }
        let name = rest.prefix(while: isTokenByte)
        rest = rest[name.endIndex...]
        guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { throw Self.malformed }
        let value: [UInt8]
        if rest.first == UInt8(ascii: "\"") {
            value = try readQuoted()
        } else {
            value = Array(rest.prefix(while: isTokenByte))
            rest = rest.dropFirst(value.count)
        }
        skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard rest.isEmpty || rest.first == UInt8(ascii: ";") else { throw Self.malformed }
        return (String(decoding: name, as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self))
    }

    /// Reads a quoted string. A backslash escapes only a quote or a backslash, since a Windows path has other
    /// backslashes unescaped.
    private mutating func readQuoted() throws(MultipartError) -> [UInt8] {
        rest.removeFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return value
            case UInt8(ascii: "\\") where rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "\\"):
                value.append(rest.removeFirst())
            case UInt8(ascii: "%") where rest.starts(with: "22".utf8):
                value.append(UInt8(ascii: "\""))
                rest.removeFirst(2)
            default: value.append(byte)
            }
        }
        throw Self.malformed
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }

    private static let malformed = MultipartError.malformed("A part's disposition is malformed.")
}
