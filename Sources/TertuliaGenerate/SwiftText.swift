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

    /// A description of the schema as a comment.
    mutating func comment(_ text: String?) {
        guard let text else { return }
        for part in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let part = part.filter { $0 != "\0" }
            line(part.isEmpty ? "///" : "/// \(part)")
        }
    }

    /// True if the digits are a literal of `Double`. Swift warns of a number that is too great or too near to zero.
    static func isDouble(_ digits: String) -> Bool {
        guard let number = Double(digits) else { return false }
        let significand = digits.prefix { $0 != "e" && $0 != "E" }
        return number.isNormal || significand.allSatisfy { "-0.".contains($0) }
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
            case _ where scalar.properties.generalCategory == .control:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
