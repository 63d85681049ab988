extension Printer {
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

    /// Without its description, which an extension does not have.
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
