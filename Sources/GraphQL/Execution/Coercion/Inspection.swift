extension InputValue {
    /// The value as error messages show it: short, whatever its size.
    var inspection: String { inspected(depth: 0) }

    private static let maximumDepth = 2
    private static let maximumItems = 10

    private func inspected(depth: Int) -> String {
        switch self {
        case .null: "null"
        case .int(let number): "\(number)"
        case .float(let number): number.ecmaScriptNotation
        case .string(let string): string.jsonNotation
        case .boolean(let boolean): "\(boolean)"
        case .enumeration(let name): name
        case .list(let items): Self.inspected(items, depth: depth)
        case .object(let object): Self.inspected(object, depth: depth)
        }
    }

    private static func inspected(_ items: [InputValue], depth: Int) -> String {
        if items.isEmpty { return "[]" }
        if depth >= maximumDepth { return "[Array]" }
        var shown = items.prefix(maximumItems).map { $0.inspected(depth: depth + 1) }
        let left = items.count - shown.count
        if left == 1 { shown.append("... 1 more item") }
        if left > 1 { shown.append("... \(left) more items") }
        return "[\(shown.joined(separator: ", "))]"
    }

    private static func inspected(_ object: InputObject, depth: Int) -> String {
        if object.fields.isEmpty { return "{}" }
        if depth >= maximumDepth { return "[Object]" }
        let shown = object.fields.map { "\($0.name): \($0.value.inspected(depth: depth + 1))" }
        return "{ \(shown.joined(separator: ", ")) }"
    }
}

extension String {
    /// The string as a JSON string, quotes included.
    fileprivate var jsonNotation: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{8}": text += "\\b"
            case "\u{C}": text += "\\f"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
