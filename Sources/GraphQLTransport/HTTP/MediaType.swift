/// A media type or media range with its parameters, names in lower case.
/// RFC 9110, 8.3.1 Media Type and 12.5.1 Accept
struct MediaType: Equatable {
    var type: String
    var subtype: String
    var parameters: [(name: String, value: String)]

    /// nil where the text is not `type/subtype` followed by well-formed parameters.
    init?(_ text: some StringProtocol) {
        var parts = splitOutsideQuotes(text, separator: ";").makeIterator()
        guard let full = parts.next() else { return nil }
        let pair = full.split(separator: "/", omittingEmptySubsequences: false)
        guard pair.count == 2, pair.allSatisfy(isToken) else { return nil }
        type = pair[0].lowercased()
        subtype = pair[1].lowercased()
        parameters = []
        while let part = parts.next() {
            if part.isEmpty { continue }
            guard let equals = part.firstIndex(of: "="), isToken(part[..<equals]) else { return nil }
            var value = part[part.index(after: equals)...]
            if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            parameters.append((part[..<equals].lowercased(), String(value)))
        }
    }

    subscript(parameter name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Whether the charset is UTF-8, which is the default.
    var isUTF8: Bool {
        guard let charset = self[parameter: "charset"]?.lowercased() else { return true }
        return charset == "utf-8" || charset == "utf8"
    }

    static func == (left: Self, right: Self) -> Bool {
        left.type == right.type && left.subtype == right.subtype
            && left.parameters.elementsEqual(right.parameters) { $0 == $1 }
    }
}

/// RFC 9110, 12.5.1 Accept: the weight that a client gives to each of the representations offered.
struct AcceptHeader {
    private let ranges: [(range: MediaType, weight: Double)]

    /// A malformed element is ignored, like an unknown type.
    init(_ text: String) {
        ranges = splitOutsideQuotes(text, separator: ",").compactMap { element in
            guard let range = MediaType(element), range.isUTF8 else { return nil }
            let weight = range[parameter: "q"].map { Double($0).flatMap { (0...1).contains($0) ? $0 : nil } ?? 0 } ?? 1
            return (range, weight)
        }
    }

    /// The first of `offers` with the greatest weight, where an earlier range in the header breaks ties between types
    /// that it names; nil where none is acceptable.
    func preferred<Offer: RepresentationOffer>(among offers: [Offer]) -> Offer? {
        var best: (offer: Offer, weight: Double, position: Int)?
        for offer in offers {
            guard let (weight, position) = match(offer), weight > 0 else { continue }
            guard let current = best else {
                best = (offer, weight, position)
                continue
            }
            if weight > current.weight || (weight == current.weight && position < current.position) {
                best = (offer, weight, position)
            }
        }
        return best?.offer
    }

    /// The most specific range decides.
    private func match(_ offer: some RepresentationOffer) -> (weight: Double, position: Int)? {
        var best: (specificity: Int, weight: Double, position: Int)?
        for (position, entry) in ranges.enumerated() {
            guard let specificity = offer.specificity(of: entry.range) else { continue }
            if let best, best.specificity >= specificity { continue }
            best = (specificity, entry.weight, position)
        }
        return best.map { ($0.weight, $0.position) }
    }
}

/// A format in which the server can answer.
protocol RepresentationOffer {
    var mediaType: (type: String, subtype: String) { get }
    /// Whether the parameters of a range admit this format. The range's type is compared elsewhere.
    func isCovered(by range: MediaType) -> Bool
}

extension RepresentationOffer {
    func isCovered(by range: MediaType) -> Bool { true }

    /// How closely the range describes this offer: 0 for `*/*`, 1 for `type/*`, 2 and more for the type itself; nil
    /// where the range does not cover the offer.
    func specificity(of range: MediaType) -> Int? {
        guard isCovered(by: range) else { return nil }
        if range.type == "*" && range.subtype == "*" { return 0 }
        guard range.type == mediaType.type else { return nil }
        if range.subtype == "*" { return 1 }
        return range.subtype == mediaType.subtype ? 2 + range.parameters.count { $0.name != "q" } : nil
    }
}

/// RFC 9110, 5.6.2 Tokens
func isToken(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
}

func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
        UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
        true
    default: false
    }
}

/// The parts between separators, without the white space around them; a separator in a quoted string is part of the
/// string.
private func splitOutsideQuotes(_ text: some StringProtocol, separator: Character) -> [String] {
    var parts = [String]()
    var part = ""
    var isQuoted = false
    for character in text {
        if character == "\"" { isQuoted.toggle() }
        if character == separator && !isQuoted {
            parts.append(trimmed(part))
            part = ""
        } else {
            part.append(character)
        }
    }
    parts.append(trimmed(part))
    return parts
}

/// RFC 9110, 5.6.3 Whitespace
func isSpaceByte(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

/// The bytes without the optional white space at both ends.
func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let end = bytes.lastIndex(where: { !isSpaceByte($0) }) else { return [] }
    return bytes[...end].drop(while: isSpaceByte)
}

/// The text without the optional white space at both ends.
/// RFC 9110, 5.6.3 Whitespace
func trimmed(_ text: some StringProtocol) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let start = text.firstIndex(where: { !isSpace($0) }),
        let end = text.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(text[start...end])
}
