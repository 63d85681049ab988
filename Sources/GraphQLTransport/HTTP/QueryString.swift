import Cryptography

/// The fields of a query string, in order.
/// WHATWG URL, 5.1 application/x-www-form-urlencoded parsing
struct QueryString {
    let fields: [(name: String, value: String)]

    /// Throws `MalformedQueryString` where a percent sign is not followed by two hexadecimal digits, or the decoded
    /// bytes are not UTF-8. A guess could run another query than the client wrote.
    init(_ text: Substring) throws(MalformedQueryString) {
        var fields = [(name: String, value: String)]()
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = equals == pair.endIndex ? pair[equals...] : pair[pair.index(after: equals)...]
            fields.append((try percentDecoded(pair[..<equals]), try percentDecoded(value)))
        }
        self.fields = fields
    }

    /// The first field of that name.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

struct MalformedQueryString: Error {}

private func percentDecoded(_ encoded: Substring.UTF8View) throws(MalformedQueryString) -> String {
    var bytes = [UInt8]()
    bytes.reserveCapacity(encoded.count)
    var rest = encoded.makeIterator()
    while let byte = rest.next() {
        switch byte {
        case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
        case UInt8(ascii: "%"):
            guard let high = rest.next().flatMap(Hex.digit), let low = rest.next().flatMap(Hex.digit)
            else { throw MalformedQueryString() }
            bytes.append(high << 4 | low)
        default: bytes.append(byte)
        }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw MalformedQueryString() }
    return text
}
