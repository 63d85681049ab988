extension Document {
    /// The document in canonical form, as graphql-js prints it. Comments and the author's spacing are lost.
    public var printed: String {
        var printer = Printer()
        for (index, definition) in definitions.enumerated() {
            if index > 0 { printer.write("\n\n") }
            printer.print(definition)
        }
        return printer.text
    }
}

extension Definition {
    public var printed: String {
        var printer = Printer()
        printer.print(self)
        return printer.text
    }
}

extension Value {
    public var printed: String {
        var printer = Printer()
        printer.print(self)
        return printer.text
    }
}

extension TypeNode {
    public var printed: String {
        var printer = Printer()
        printer.print(self)
        return printer.text
    }
}

/// Writes nodes as bytes; every new line starts with the current indentation.
struct Printer {
    private(set) var bytes: [UInt8] = []
    private var depth = 0

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func write(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func write(byte: UInt8) { bytes.append(byte) }

    mutating func newLine() {
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: depth * 2))
    }

    /// `{`, an item a line, `}`; nothing at all for no items.
    mutating func block<Item>(_ items: [Item], _ print: (inout Printer, Item) -> Void) {
        if items.isEmpty { return }
        write("{")
        lines(items, print)
        write("}")
    }

    private mutating func lines<Item>(_ items: [Item], _ print: (inout Printer, Item) -> Void) {
        depth += 1
        for item in items {
            newLine()
            print(&self, item)
        }
        depth -= 1
        newLine()
    }

    mutating func list<Item>(_ items: [Item], _ separator: StaticString, _ print: (inout Printer, Item) -> Void) {
        for (index, item) in items.enumerated() {
            if index > 0 { write(separator) }
            print(&self, item)
        }
    }

    /// Items in parentheses on the line of what was printed from `start` on, unless that becomes longer than `width`
    /// or, without a width, an item has several lines: then an item a line.
    mutating func parenthesized<Item>(
        _ items: [Item], from start: Int, width: Int?, _ print: (inout Printer, Item) -> Void
    ) {
        if items.isEmpty { return }
        write("(")
        let opened = bytes.count
        list(items, ", ", print)
        let isTooLong = width.map { lineLength(from: start) + 1 > $0 } ?? bytes[opened...].contains(0x0A)
        if isTooLong {
            bytes.removeLast(bytes.count - opened)
            lines(items, print)
        }
        write(")")
    }

    /// In UTF-16 code units and without the indentation of lines.
    private func lineLength(from start: Int) -> Int {
        bytes[start...].reduce(0) { length, byte in
            switch byte {
            case 0x0A: length + 1 - depth * 2
            case 0x80..<0xC0: length
            case 0xF0...: length + 2
            default: length + 1
            }
        }
    }

    // MARK: - Values and type references

    mutating func print(_ value: Value) {
        switch value.kind {
        case .variable(let name):
            write("$")
            write(name)
        case .int(let text), .float(let text), .enumeration(let text): write(text)
        case .string(let string): print(string)
        case .boolean(let value): write(value ? "true" : "false")
        case .null: write("null")
        case .list(let values):
            write("[")
            list(values, ", ") { $0.print($1) }
            write("]")
        case .object(let fields):
            write("{")
            list(fields, ", ") { $0.print($1.name, $1.value) }
            write("}")
        }
    }

    mutating func print(_ name: Name, _ value: Value) {
        write(name.value)
        write(": ")
        print(value)
    }

    mutating func print(_ type: TypeNode) {
        switch type {
        case .named(let named): write(named.name.value)
        case .list(let element, _):
            write("[")
            print(element)
            write("]")
        case .nonNull(let element, _):
            print(element)
            write("!")
        }
    }
}
