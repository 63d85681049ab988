/// The texts of the members of a JSON object, by name, as they were written.
func rawMembers(_ json: Substring) -> [String: Substring] {
    let parts = rawParts(json)
    var members: [String: Substring] = [:]
    for (name, value) in zip(parts.indices.filter { $0 % 2 == 0 }, parts.indices.filter { $0 % 2 == 1 }) {
        members[String(parts[name].dropFirst().dropLast())] = parts[value]
    }
    return members
}

/// The texts of the items of a JSON array, as they were written.
func rawItems(_ json: Substring) -> [Substring] { rawParts(json) }

/// What stands between the brackets or braces of compact JSON, split at the commas and colons of their level.
private func rawParts(_ json: Substring) -> [Substring] {
    let bytes = json.utf8
    var parts: [Substring] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    var start = bytes.startIndex
    for index in bytes.indices {
        if isInString {
            isInString = isEscaped || bytes[index] != UInt8(ascii: "\"")
            isEscaped = !isEscaped && bytes[index] == UInt8(ascii: "\\")
            continue
        }
        switch bytes[index] {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            if depth == 1 { start = bytes.index(after: index) }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 0, start < index { parts.append(json[start..<index]) }
        case UInt8(ascii: ","), UInt8(ascii: ":"):
            guard depth == 1 else { continue }
            parts.append(json[start..<index])
            start = bytes.index(after: index)
        default: continue
        }
    }
    return parts
}
