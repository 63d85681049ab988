/// A walk through the type-system definitions of a document.
struct SDLTraversal {
    private var rules: [any SDLRule]
    private(set) var context: SDLValidationContext

    init(rules: [any SDLRule.Type], context: SDLValidationContext) {
        self.rules = rules.map { $0.init(context) }
        self.context = context
    }

    mutating func visit() {
        for definition in context.document.definitions {
            switch definition {
            case .schema(let definition): visit(definition, isExtension: false)
            case .schemaExtension(let definition): visit(definition, isExtension: true)
            case .type(let definition): visit(definition, isExtension: false)
            case .typeExtension(let definition): visit(definition, isExtension: true)
            case .directive(let definition): visit(definition)
            case .operation, .fragment: break
            }
        }
    }

    private mutating func visit(_ schema: SchemaDefinition, isExtension: Bool) {
        for index in rules.indices { rules[index].enter(schema, isExtension: isExtension, &context) }
        visit(schema.directives, at: .schema)
        for operationType in schema.operationTypes { visit(operationType.type) }
    }

    private mutating func visit(_ type: TypeDefinition, isExtension: Bool) {
        for index in rules.indices { rules[index].enter(type, isExtension: isExtension, &context) }
        for interface in type.interfaces { visit(interface) }
        visit(type.directives, at: type.kind.directiveLocation)
        for field in type.fields { visit(field) }
        for member in type.memberTypes { visit(member) }
        for value in type.values {
            for index in rules.indices { rules[index].enter(memberWith: value.directives, &context) }
            visit(value.directives, at: .enumValue)
        }
        for field in type.inputFields { visit(field, at: .inputFieldDefinition) }
    }

    private mutating func visit(_ field: FieldDefinition) {
        for index in rules.indices { rules[index].enter(memberWith: field.directives, &context) }
        for argument in field.arguments { visit(argument, at: .argumentDefinition) }
        visit(field.type.namedType)
        visit(field.directives, at: .fieldDefinition)
    }

    private mutating func visit(_ input: InputValueDefinition, at location: DirectiveLocation) {
        for index in rules.indices { rules[index].enter(memberWith: input.directives, &context) }
        visit(input.type.namedType)
        if let defaultValue = input.defaultValue { visit(defaultValue) }
        visit(input.directives, at: location)
    }

    private mutating func visit(_ directive: DirectiveDefinition) {
        for index in rules.indices { rules[index].enter(directive, &context) }
        for argument in directive.arguments { visit(argument, at: .argumentDefinition) }
    }

    private mutating func visit(_ type: NamedTypeNode) {
        for index in rules.indices { rules[index].enter(type, &context) }
    }

    private mutating func visit(_ directives: [Directive], at location: DirectiveLocation) {
        for directive in directives {
            for index in rules.indices { rules[index].enter(directive, at: location, &context) }
            for argument in directive.arguments { visit(argument.value) }
            for index in rules.indices { rules[index].leave(directive, &context) }
        }
    }

    private mutating func visit(_ value: Value) {
        switch value.kind {
        case .list(let items):
            for item in items { visit(item) }
        case .object(let fields):
            for index in rules.indices { rules[index].enterObjectValue() }
            for field in fields {
                for index in rules.indices { rules[index].enter(field, &context) }
                visit(field.value)
            }
            for index in rules.indices { rules[index].leaveObjectValue() }
        case .variable, .int, .float, .string, .boolean, .null, .enumeration: break
        }
    }
}

extension TypeDefinition.Kind {
    var directiveLocation: DirectiveLocation {
        switch self {
        case .scalar: .scalar
        case .object: .object
        case .interface: .interface
        case .union: .union
        case .enumeration: .enumeration
        case .inputObject: .inputObject
        }
    }
}
