import NIOCore

/// The proxies in front of the server. Each adds to a header field the address that it was connected from, so the last
/// `count` entries of that field were written by trusted proxies, and the first of these names the client.
public struct TrustedProxies: Sendable {
    /// A header field in which proxies name the client of a request. The raw value is the field's name.
    public enum Field: String, Sendable {
        case xForwardedFor = "x-forwarded-for"
        /// RFC 7239
        case forwarded
    }

    /// With 0 no field is read.
    public var count: Int
    /// The field that the proxies write. The other one comes from the client, and is ignored.
    public var field: Field

    public init(count: Int = 0, field: Field = .xForwardedFor) {
        self.count = count
        self.field = field
    }

    func reads(_ field: Field) -> Bool { count > 0 && self.field == field }

    /// The client's address.
    /// - Parameter lines: the values of all lines of the field, which are one list (RFC 9110, 5.3).
    /// - Returns: nil without an entry.
    /// - Throws: `UnreadableHop` for an entry without an address. No other entry may take its place, because the client
    ///   may have written the entries before it.
    func client(in lines: [String]) throws(UnreadableHop) -> String? {
        guard let entry = entry(in: lines) else { return nil }
        let node =
            switch field {
            case .xForwardedFor: entry
            case .forwarded: Self.node(ofElement: entry)
            }
        guard let node, let address = Self.address(of: node) else { throw UnreadableHop(entry: Array(entry)) }
        return address
    }

    // MARK: - Reading

    // The header is compared by bytes. A client could write a character that combines with a proxy's comma.
    private typealias Bytes = ArraySlice<UInt8>

    /// The entry with the number `count` from the end; the first one if there are fewer.
    private func entry(in lines: [String]) -> Bytes? {
        var left = count
        var entry: Bytes?
        for line in lines.reversed() {
            var rest = Array(line.utf8)[...]
            while left > 0 {
                left -= 1
                guard let comma = Self.lastSeparator(UInt8(ascii: ","), in: rest, hasQuotes: field == .forwarded) else {
                    entry = rest
                    break
                }
                entry = rest[(comma + 1)...]
                rest = rest[..<comma]
            }
        }
        return entry.map(trimmed(_:))
    }

    /// The last separator outside of quoted strings. The search begins at the end, which trusted proxies wrote: an open
    /// quotation mark of the client then spoils only the client's part.
    private static func lastSeparator(_ separator: UInt8, in text: Bytes, hasQuotes: Bool) -> Int? {
        var isQuoted = false
        return text.indices.last { index in
            if hasQuotes, text[index] == UInt8(ascii: "\""), !isEscaped(index, in: text) { isQuoted.toggle() }
            return text[index] == separator && !isQuoted
        }
    }

    /// RFC 9110, 5.6.4 Quoted Strings, quoted-pair
    private static func isEscaped(_ index: Int, in text: Bytes) -> Bool {
        !text[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
    }

    /// The value of the one parameter `for` of an element.
    /// RFC 7239, 4 Forwarded HTTP Header Field
    private static func node(ofElement element: Bytes) -> Bytes? {
        var rest = element
        var nodes: [Bytes] = []
        while true {
            let separator = lastSeparator(UInt8(ascii: ";"), in: rest, hasQuotes: true)
            let pair = separator.map { rest[($0 + 1)...] } ?? rest
            if let equals = pair.firstIndex(of: UInt8(ascii: "=")), isFor(trimmed(pair[..<equals])) {
                nodes.append(pair[(equals + 1)...])
            }
            guard let separator else { break }
            rest = rest[..<separator]
        }
        return nodes.count == 1 ? nodes[0] : nil
    }

    private static func isFor(_ name: Bytes) -> Bool { name.map { $0 | 0x20 } == Array("for".utf8) }

    /// The IP address of a node, which may have a port, brackets and quotation marks; nil for `unknown`, an obfuscated
    /// name and everything else.
    /// RFC 7239, 6 Node Identifiers
    private static func address(of node: Bytes) -> String? {
        var text = trimmed(node)
        let quote = UInt8(ascii: "\"")
        if text.count >= 2, text.first == quote, text.last == quote { text = text.dropFirst().dropLast() }
        if let address = ipAddress(text) { return address }
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")), isPort(text[(end + 1)...]) else { return nil }
            let address = text[..<end].dropFirst()
            return address.contains(UInt8(ascii: ":")) ? ipAddress(address) : nil
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), isPort(text[colon...]) else { return nil }
        return ipAddress(text[..<colon])
    }

    /// nil for everything else, also for an IPv6 address with a zone, which means something to the proxy alone.
    private static func ipAddress(_ bytes: Bytes) -> String? {
        guard bytes.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "%") }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return (try? SocketAddress(ipAddress: text, port: 0)).map { _ in text }
    }

    /// True for no text, and for a colon with a port or an obfuscated port.
    private static func isPort(_ text: Bytes) -> Bool {
        if text.isEmpty { return true }
        guard text.first == UInt8(ascii: ":") else { return false }
        let port = text.dropFirst()
        if port.first == UInt8(ascii: "_") { return port.count > 1 && port.allSatisfy(isTokenByte) }
        return 1...5 ~= port.count && port.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

/// An entry of a trusted proxy that has no address.
struct UnreadableHop: Error {
    let entry: [UInt8]
}
