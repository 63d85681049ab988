/// Any choice of rules, in the order given.
struct RuleList: ValidationRule {
    var rules: [any ValidationRule]

    mutating func enter(_ document: Document, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(document, &context) }
    }

    mutating func leave(_ document: Document, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].leave(document, &context) }
    }

    mutating func enter(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(operation, &context) }
    }

    mutating func leave(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].leave(operation, &context) }
    }

    mutating func enter(_ fragment: FragmentDefinition, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(fragment, &context) }
    }

    mutating func enter(_ definition: VariableDefinition, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(definition, &context) }
    }

    mutating func enter(_ selectionSet: SelectionSet, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(selectionSet, &context) }
    }

    mutating func enter(_ field: Field, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(field, &context) }
    }

    mutating func leave(_ field: Field, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].leave(field, &context) }
    }

    mutating func enter(_ spread: FragmentSpread, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(spread, &context) }
    }

    mutating func enter(_ fragment: InlineFragment, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(fragment, &context) }
    }

    mutating func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(directive, at: location, &context) }
    }

    mutating func leave(_ directive: Directive, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].leave(directive, &context) }
    }

    mutating func enter(_ argument: Argument, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(argument, &context) }
    }

    mutating func enter(_ type: NamedTypeNode, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(type, &context) }
    }

    mutating func enter(_ value: Value, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(value, &context) }
    }

    mutating func leave(_ value: Value, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].leave(value, &context) }
    }

    mutating func enter(_ field: ObjectField, _ context: inout ValidationContext) {
        for index in rules.indices { rules[index].enter(field, &context) }
    }
}
