import Foundation

/// Answers keep the order of their fields: a JSON library would not.
func prettyPrinted(_ json: String) -> String {
    var output = ""
    var depth = 0
    var isInString = false
    var isEscaped = false
    for character in json {
        if isInString {
            output.append(character)
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                isInString = character != "\""
            }
            continue
        }
        switch character {
        case "\"":
            isInString = true
            output.append(character)
        case "{", "[":
            depth += 1
            output.append(character)
            output.append("\n" + String(repeating: "  ", count: depth))
        case "}", "]":
            depth -= 1
            output.append("\n" + String(repeating: "  ", count: depth))
            output.append(character)
        case ",": output.append(",\n" + String(repeating: "  ", count: depth))
        case ":": output.append(": ")
        default: output.append(character)
        }
    }
    return output.replacing(/\{\s+\}/, with: "{}").replacing(/\[\s+\]/, with: "[]")
}

/// A statement with a line a clause and a condition, so that a difference shows what differs. Lists that are longer than
/// a line are wrapped.
func brokenBeforeClauses(_ sql: String) -> String {
    sql.replacing(
        #/ (from|where|and|order by|limit|join|left join|cross join|on conflict|returning|values|set|when|else)(?= )/#
    ) { "\n  \($0.1)" }
    .split(separator: "\n", omittingEmptySubsequences: false).map(wrapped).joined(separator: "\n")
}

/// A line of a list in lines of at most 120 characters, where its items are shorter.
private func wrapped(_ line: Substring) -> String {
    var text = ""
    var length = 0
    for (index, item) in line.split(separator: ", ", omittingEmptySubsequences: false).enumerated() {
        if index > 0 {
            let fits = length + item.count + 3 <= 120
            text += fits ? ", " : ",\n    "
            length = fits ? length + 2 : 4
        }
        text += item
        length += item.count
    }
    return text
}

/// Replaces what differs from run to run: ids and instants that were made just now, tokens, and names made of ids.
struct Normalizer {
    private var ids: [String: String] = [:]

    mutating func normalize(_ text: String) -> String {
        var text = text
        var named: [(Range<String.Index>, String)] = []
        for match in text.matches(of: /"([a-z]+)_[0-9a-z]{26}"/) {
            let id = String(text[match.range])
            // The world's ids are of January 2026, a given instant.
            if id.contains("_01kdv") { continue }
            let name = ids[id] ?? "\"\(match.output.1)_<new \(ids.count + 1)>\""
            ids[id] = name
            named.append((match.range, name))
        }
        for (range, name) in named.reversed() { text.replaceSubrange(range, with: name) }
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for match in text.matches(of: /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/).reversed() {
            guard let date = try? Date(String(match.output.1), strategy: format),
                abs(date.timeIntervalSinceNow) < 86_400
            else { continue }
            text.replaceSubrange(match.range, with: "\"<now>\"")
        }
        text = text.replacing(/\?expires=\d+&signature=[A-Za-z0-9_-]+/, with: "?<signature>")
        for match in text.matches(of: /\/([a-z]+)_([0-9a-z]{26})/).reversed() where !match.output.2.hasPrefix("01kdv") {
            text.replaceSubrange(match.range, with: "/\(match.output.1)_<new>")
        }
        return text.replacing(/"B[A-Za-z0-9_-]{86}"/, with: "\"<web push key>\"")
            .replacing(/"V[A-Za-z0-9_-]{45}"/, with: "\"<search cursor>\"")
            .replacing(/"(eyJ|trt_)[A-Za-z0-9._-]+"/, with: "\"<token>\"")
            .replacing(/"[A-Z][a-z]+ [A-Z][a-z]+ \d+"/, with: "\"<generated name>\"")
    }
}
