/// Swift source as lines, each with its indentation.
struct SwiftText {
    private(set) var text = ""
    private var depth = 0

    mutating func line(_ line: String = "") {
        text += line.isEmpty ? "\n" : String(repeating: "    ", count: depth) + line + "\n"
    }

    /// A line that ends with `{`, its body, and `}`.
    mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// Lines one level deeper.
    mutating func indented(_ body: (inout SwiftText) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }

    /// A description of the schema or of a document as a comment. No character of the text can end the comment early:
    /// the text is split at every newline of Unicode, and Swift's newlines are among them. NULs are left out, because
    /// Swift warns of them.
    mutating func comment(_ text: String?) {
        guard let text else { return }
        for part in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let part = part.filter { $0 != "\0" }
            line(part.isEmpty ? "///" : "/// \(part)")
        }
    }

    /// A string literal of one line.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case "\u{0}"..."\u{1F}": literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
