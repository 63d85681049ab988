/// Spec: 3.13 Directives, "Type Validation"
extension SchemaValidation {
    mutating func checkDirectives() {
        for directive in schema.directives {
            let definition = definitions?.directive(named: directive.name)
            if definition == nil, BuiltInDefinitions.directiveNames.contains(directive.name) { continue }
            check(directive, definition)
        }
    }

    private mutating func check(_ directive: DirectiveType, _ definition: DirectiveDefinition?) {
        checkName(directive.name, at: definition?.location)
        for argument in directive.arguments {
            let node = definition?.arguments.first { $0.name.value == argument.name }
            check(
                argument, at: "@\(directive.name)(\(argument.name):)", kind: "argument", node,
                typeLocation: node?.location)
        }
        var references = DirectiveReferences(schema)
        references.add(directive)
        if references.directives.contains(directive.name) {
            report("Directive \"@\(directive.name)\" cannot refer to itself.", at: [definition?.location])
        }
    }
}

/// The directives that a directive's definition refers to, directly or through the types of its arguments.
private struct DirectiveReferences {
    private let schema: Schema
    private(set) var directives: Set<String> = []
    private var types: Set<TypeIndex> = []

    init(_ schema: Schema) { self.schema = schema }

    mutating func add(_ directive: DirectiveType) {
        for argument in directive.arguments { add(argument) }
    }

    private mutating func add(_ applied: [Directive]) {
        for directive in applied where directives.insert(directive.name.value).inserted {
            if let definition = schema.directive(named: directive.name.value) { add(definition) }
        }
    }

    private mutating func add(_ input: InputValueType) {
        add(input.directives)
        let index = input.type.namedType
        guard types.insert(index).inserted else { return }
        switch schema[index] {
        case .scalar(let scalar): add(scalar.directives)
        case .enumeration(let enumeration):
            add(enumeration.directives)
            for value in enumeration.values { add(value.directives) }
        case .inputObject(let inputObject):
            add(inputObject.directives)
            for field in inputObject.fields { add(field) }
        case .object, .interface, .union: break
        }
    }
}
