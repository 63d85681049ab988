extension Printer {
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

    /// A shorthand query stays short, except behind a definition that would take its braces as its own: `type A {a}`.
    private mutating func print(_ operation: OperationDefinition) {
        let isShorthand =
            operation.operation == .query && operation.description == nil && operation.name == nil
            && operation.variableDefinitions.isEmpty && operation.directives.isEmpty
        let follows = bytes.suffix(3).first.map { $0 != UInt8(ascii: "}") } ?? false
        if !isShorthand || follows {
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

    /// Each with a space before it.
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
}
