extension InputValue {
    /// The value as error messages show it: abridged where it is large.
    var inspection: String {
        var inspector = Inspector()
        inspector.write(self, depth: 0)
        return inspector.finished
    }
}

/// Writes values as the function `inspect` of graphql-js does, up to a maximum length.
private struct Inspector {
    private static let maximumDepth = 2
    private static let maximumItems = 10
    /// The maximum length in UTF-8 bytes, so that a small request does not get a large answer.
    private static let maximumLength = 1_000

    private var text = ""

    private var isFull: Bool { text.utf8.count > Self.maximumLength }

    var finished: String { isFull ? text + "…" : text }

    mutating func write(_ value: InputValue, depth: Int) {
        switch value {
        case .null: text += "null"
        case .int(let number): text += "\(number)"
        case .float(let number): text += number.ecmaScriptNotation
        case .string(let string): write(string)
        case .boolean(let boolean): text += "\(boolean)"
        case .enumeration(let name): text += name
        case .upload: text += "[Upload]"
        case .secret: text += "***"
        case .list(let items): write(items, depth: depth)
        case .object(let object): write(object, depth: depth)
        }
    }

    private mutating func write(_ items: [InputValue], depth: Int) {
        if depth >= Self.maximumDepth, !items.isEmpty {
            text += "[Array]"
            return
        }
        text += "["
        for (position, item) in items.prefix(Self.maximumItems).enumerated() {
            if isFull { return }
            if position > 0 { text += ", " }
            write(item, depth: depth + 1)
        }
        let left = items.count - Self.maximumItems
        if left > 0 { text += left == 1 ? ", ... 1 more item" : ", ... \(left) more items" }
        text += "]"
    }

    private mutating func write(_ object: InputObject, depth: Int) {
        if object.fields.isEmpty {
            text += "{}"
            return
        }
        if depth >= Self.maximumDepth {
            text += "[Object]"
            return
        }
        text += "{ "
        for (position, field) in object.fields.enumerated() {
            if isFull { return }
            if position > 0 { text += ", " }
            write(name: field.name)
            text += ": "
            write(field.value, depth: depth + 1)
        }
        text += " }"
    }

    private mutating func write(name: String) {
        for scalar in name.unicodeScalars {
            if isFull { return }
            text.unicodeScalars.append(scalar)
        }
    }

    /// Writes a JSON string, quotes included.
    private mutating func write(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            if isFull { return }
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
        text += "\""
    }
}
