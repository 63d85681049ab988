extension Document {
    /// The document in canonical form, as graphql-js prints it, without comments and the author's spacing.
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
    /// The definition in canonical form.
    public var printed: String {
        var printer = Printer()
        printer.print(self)
        return printer.text
    }
}

extension Value {
    /// The value in canonical form.
    public var printed: String {
        var printer = Printer()
        printer.print(self)
        return printer.text
    }
}

extension TypeNode {
    /// The type reference, such as `[Thought!]!`.
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

    /// `{`, one item a line, `}`; nothing where there are no items.
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

    /// Writes the items in parentheses on one line if they fit, and otherwise one item a line. With a width, the items
    /// fit if the text from `start` on is no longer than `width`. Without a width, they fit if none of them has several
    /// lines.
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

    /// The length of the text from `start` on, in UTF-16 code units and without the indentation of lines.
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

    // MARK: - Executable definitions

    mutating func print(_ definition: Definition) {
        switch definition {
        case .operation(let operation): print(operation)
        case .fragment(let fragment): print(fragment)
        case .schema(let schema):
            print(description: schema.description)
            print(schema)
        case .schemaExtension(let schema):
            write("extend ")
            print(schema)
        case .type(let type):
            print(description: type.description)
            print(type)
        case .typeExtension(let type):
            write("extend ")
            print(type)
        case .directive(let directive): print(directive)
        }
    }

    mutating func print(description: StringValue?) {
        guard let description else { return }
        print(description)
        newLine()
    }

    /// A query of nothing but a selection set is printed in shorthand, `{a}`. After a definition that does not end in a
    /// brace it is printed as `query {a}`, because the parser would read its braces as that definition's: in
    /// `type A {a}` the `{a}` is not a query.
    private mutating func print(_ operation: OperationDefinition) {
        let isShorthand =
            operation.operation == .query && operation.description == nil && operation.name == nil
            && operation.variableDefinitions.isEmpty && operation.directives.isEmpty
        let followsBraceless = bytes.suffix(3).first.map { $0 != UInt8(ascii: "}") } ?? false
        if !isShorthand || followsBraceless {
            print(description: operation.description)
            write(operation.operation.rawValue)
            if operation.name != nil || !operation.variableDefinitions.isEmpty { write(" ") }
            if let name = operation.name { write(name.value) }
            print(operation.variableDefinitions)
            print(operation.directives)
            write(" ")
        }
        print(operation.selectionSet)
    }

    private mutating func print(_ definitions: [VariableDefinition]) {
        parenthesized(definitions, from: bytes.count, width: nil) { printer, definition in
            printer.print(description: definition.description)
            printer.write("$")
            printer.write(definition.name.value)
            printer.write(": ")
            printer.print(definition.type)
            printer.print(defaultValue: definition.defaultValue)
            printer.print(definition.directives)
        }
    }

    private mutating func print(_ fragment: FragmentDefinition) {
        print(description: fragment.description)
        write("fragment ")
        write(fragment.name.value)
        print(fragment.variableDefinitions)
        write(" on ")
        write(fragment.typeCondition.name.value)
        print(fragment.directives)
        write(" ")
        print(fragment.selectionSet)
    }

    mutating func print(defaultValue: Value?) {
        guard let defaultValue else { return }
        write(" = ")
        print(defaultValue)
    }

    /// Directives, each with a space before it.
    mutating func print(_ directives: [Directive]) {
        for directive in directives {
            write(" @")
            write(directive.name.value)
            if directive.arguments.isEmpty { continue }
            write("(")
            list(directive.arguments, ", ") { $0.print($1.name, $1.value) }
            write(")")
        }
    }

    private mutating func print(_ selectionSet: SelectionSet) {
        block(selectionSet.selections) { printer, selection in
            switch selection {
            case .field(let field): printer.print(field)
            case .fragmentSpread(let spread):
                printer.write("...")
                printer.write(spread.name.value)
                printer.print(spread.directives)
            case .inlineFragment(let fragment): printer.print(fragment)
            }
        }
    }

    /// Arguments get a line each where the field's line would be longer than 80 characters.
    private mutating func print(_ field: Field) {
        let start = bytes.count
        if let alias = field.alias {
            write(alias.value)
            write(": ")
        }
        write(field.name.value)
        parenthesized(field.arguments, from: start, width: 80) { $0.print($1.name, $1.value) }
        print(field.directives)
        if let selectionSet = field.selectionSet {
            write(" ")
            print(selectionSet)
        }
    }

    private mutating func print(_ fragment: InlineFragment) {
        write("...")
        if let typeCondition = fragment.typeCondition {
            write(" on ")
            write(typeCondition.name.value)
        }
        print(fragment.directives)
        write(" ")
        print(fragment.selectionSet)
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

    // MARK: - Strings

    mutating func print(_ string: StringValue) {
        if string.isBlock {
            printBlockString(string.value)
        } else {
            printString(string.value)
        }
    }

    /// Escapes quotation marks, backslashes and control characters. U+007F to U+009F are control characters, too.
    mutating func printString(_ value: String) {
        write(byte: 0x22)
        for scalar in value.unicodeScalars {
            switch scalar.value {
            case 0x08: write("\\b")
            case 0x09: write("\\t")
            case 0x0A: write("\\n")
            case 0x0C: write("\\f")
            case 0x0D: write("\\r")
            case 0x22: write("\\\"")
            case 0x5C: write("\\\\")
            case 0x00..<0x20, 0x7F..<0xA0:
                write(scalar.value < 0x10 ? "\\u000" : "\\u00")
                write(String(scalar.value, radix: 16, uppercase: true))
            default:
                for byte in scalar.utf8 { write(byte: byte) }
            }
        }
        write(byte: 0x22)
    }

    /// A short text without line breaks is printed on one line, unless it ends in a quotation mark or a backslash.
    mutating func printBlockString(_ value: String) {
        let lines = blockStringLines(value)
        let text = Array(value.utf8)
        let indentsAllLines =
            lines.count > 1 && lines.dropFirst().allSatisfy { $0.isEmpty || $0.first == 0x20 || $0.first == 0x09 }
        let endsInQuoteOrBackslash = text.last == 0x22 || text.last == 0x5C
        let hasSeveralLines = lines.count > 1 || value.utf16.count > 70 || endsInQuoteOrBackslash
        let startsWithSpace = lines.count == 1 && (text.first == 0x20 || text.first == 0x09)
        write("\"\"\"")
        if hasSeveralLines && !startsWithSpace || indentsAllLines { newLine() }
        for (index, line) in lines.enumerated() {
            if index > 0 { newLine() }
            for byte in line { write(byte: byte) }
        }
        if hasSeveralLines { newLine() }
        write("\"\"\"")
    }

    /// The lines of a text, each with `"""` escaped.
    private func blockStringLines(_ value: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var quotes = 0
        var previous: UInt8 = 0
        for byte in value.utf8 {
            quotes = byte == 0x22 ? quotes + 1 : 0
            if byte == 0x0A && previous == 0x0D {
                previous = byte
                continue
            }
            previous = byte
            if byte.isLineTerminator {
                lines.append([])
                continue
            }
            lines[lines.count - 1].append(byte)
            if quotes == 3 {
                quotes = 0
                let line = lines.count - 1
                lines[line].insert(UInt8(ascii: "\\"), at: lines[line].count - 3)
            }
        }
        return lines
    }

    // MARK: - Type system definitions

    mutating func print(_ schema: SchemaDefinition) {
        write("schema")
        print(schema.directives)
        if !schema.operationTypes.isEmpty { write(" ") }
        block(schema.operationTypes) { printer, definition in
            printer.write(definition.operation.rawValue)
            printer.write(": ")
            printer.write(definition.type.name.value)
        }
    }

    /// The definition without its description, which an extension does not have.
    mutating func print(_ type: TypeDefinition) {
        write(type.kind.keyword)
        write(" ")
        write(type.name.value)
        if !type.interfaces.isEmpty {
            write(" implements ")
            list(type.interfaces, " & ") { $0.write($1.name.value) }
        }
        print(type.directives)
        if !type.memberTypes.isEmpty {
            write(" = ")
            list(type.memberTypes, " | ") { $0.write($1.name.value) }
        }
        if !(type.fields.isEmpty && type.values.isEmpty && type.inputFields.isEmpty) { write(" ") }
        block(type.fields) { $0.print($1) }
        block(type.values) { $0.print($1) }
        block(type.inputFields) { $0.print($1) }
    }

    private mutating func print(_ field: FieldDefinition) {
        print(description: field.description)
        write(field.name.value)
        print(field.arguments)
        write(": ")
        print(field.type)
        print(field.directives)
    }

    private mutating func print(_ arguments: [InputValueDefinition]) {
        parenthesized(arguments, from: bytes.count, width: nil) { $0.print($1) }
    }

    private mutating func print(_ input: InputValueDefinition) {
        print(description: input.description)
        write(input.name.value)
        write(": ")
        print(input.type)
        print(defaultValue: input.defaultValue)
        print(input.directives)
    }

    private mutating func print(_ value: EnumValueDefinition) {
        print(description: value.description)
        write(value.name.value)
        print(value.directives)
    }

    mutating func print(_ directive: DirectiveDefinition) {
        print(description: directive.description)
        write("directive @")
        write(directive.name.value)
        print(directive.arguments)
        if directive.isRepeatable { write(" repeatable") }
        write(" on ")
        list(directive.locations, " | ") { $0.write($1.value) }
    }
}

extension TypeDefinition.Kind {
    /// The word that starts a definition of the kind.
    var keyword: StaticString {
        switch self {
        case .scalar: "scalar"
        case .object: "type"
        case .interface: "interface"
        case .union: "union"
        case .enumeration: "enum"
        case .inputObject: "input"
        }
    }
}
