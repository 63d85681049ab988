/// A walk through a document, which resolves the types at each node, calls the rules and fills the `DocumentIndex`.
struct DocumentTraversal<Rules: ValidationRule> {
    var rules: Rules
    var context: ValidationContext
    private var fields = FieldCache()

    init(rules: Rules, context: ValidationContext) {
        self.rules = rules
        self.context = context
    }

    mutating func visit(_ document: Document) {
        rules.enter(document, &context)
        var fragmentIndex = 0
        for definition in document.definitions {
            switch definition {
            case .operation(let operation): visit(operation)
            case .fragment(let definition):
                visit(definition, at: fragmentIndex)
                fragmentIndex += 1
            case .schema, .schemaExtension, .type, .typeExtension, .directive: break
            }
        }
        rules.leave(document, &context)
    }

    private mutating func visit(_ operation: OperationDefinition) {
        context.parentType = context.schema.rootType(for: operation.operation)
        context.index.appendOperation(operation)
        rules.enter(operation, &context)
        let firstUsage = context.index.variableUsages.count
        // The default values and directives of variable definitions are constant. Only a document made in code can have
        // a variable in them, and such a variable is no usage.
        for definition in operation.variableDefinitions { visit(definition) }
        context.index.variableUsages.removeSubrange(firstUsage...)
        visit(operation.directives, at: operation.operation.directiveLocation)
        let selectionSet = visit(operation.selectionSet, parentType: context.parentType)
        let scope = context.index.scope(of: selectionSet, usagesFrom: firstUsage)
        context.index.operations[context.index.operations.count - 1].scope = scope
        rules.leave(operation, &context)
    }

    private mutating func visit(_ fragment: FragmentDefinition, at position: Int) {
        context.parentType = context.schema.compositeType(named: fragment.typeCondition.name.value)
        rules.enter(fragment, &context)
        let firstUsage = context.index.variableUsages.count
        for definition in fragment.variableDefinitions { visit(definition) }
        context.index.variableUsages.removeSubrange(firstUsage...)
        rules.enter(fragment.typeCondition, &context)
        visit(fragment.directives, at: .fragmentDefinition)
        let selectionSet = visit(fragment.selectionSet, parentType: context.parentType)
        context.index.fragments[position].scope = context.index.scope(of: selectionSet, usagesFrom: firstUsage)
    }

    private mutating func visit(_ definition: VariableDefinition) {
        rules.enter(definition, &context)
        visit(definition.type)
        if let value = definition.defaultValue {
            let type = context.schema.typeReference(for: definition.type)
            visit(value, type: type.flatMap { context.schema[$0.namedType].isInput ? $0 : nil }, hasDefault: false)
        }
        visit(definition.directives, at: .variableDefinition)
    }

    private mutating func visit(_ type: TypeNode) {
        switch type {
        case .named(let named): rules.enter(named, &context)
        case .list(let item, _): visit(item)
        case .nonNull(let nullable, _): visit(nullable)
        }
    }

    // MARK: Selections

    private mutating func visit(_ selectionSet: SelectionSet, parentType: TypeIndex?) -> Int32 {
        let outer = context.parentType
        context.parentType = parentType
        let position = context.index.appendSelectionSet(count: selectionSet.selections.count, parentType: parentType)
        rules.enter(selectionSet, &context)
        var record = Int(context.index.selectionSets[position].first)
        for selection in selectionSet.selections {
            switch selection {
            case .field(let field): visit(field, record)
            case .fragmentSpread(let spread): visit(spread, record)
            case .inlineFragment(let fragment): visit(fragment, record)
            }
            record += 1
        }
        context.parentType = outer
        return Int32(position)
    }

    private mutating func visit(_ field: Field, _ record: Int) {
        let outer = context.field
        let name = context.index.names.id(of: field.name.value)
        let definition = context.parentType.flatMap {
            fields.field(named: field.name.value, name, on: $0, context.schema)
        }
        context.field = definition
        rules.enter(field, &context)
        context.index.appendField(field, name: name, definition, at: record)
        for argument in field.arguments {
            visit(argument, definition: definition?.argument(named: argument.name.value))
        }
        visit(field.directives, at: .field)
        if let selectionSet = field.selectionSet {
            let type = definition.flatMap { context.schema.composite($0.namedType) }
            let position = visit(selectionSet, parentType: type)
            context.index.selections[record].selectionSet = position
            context.field = definition
        }
        rules.leave(field, &context)
        context.field = outer
    }

    private mutating func visit(_ spread: FragmentSpread, _ record: Int) {
        context.fragmentOfSpread = context.index.appendSpread(spread, at: record)
        rules.enter(spread, &context)
        visit(spread.directives, at: .fragmentSpread)
    }

    private mutating func visit(_ fragment: InlineFragment, _ record: Int) {
        context.fragmentType =
            fragment.typeCondition.map { context.schema.compositeType(named: $0.name.value) }
            ?? context.parentType
        let type = context.fragmentType
        rules.enter(fragment, &context)
        if let condition = fragment.typeCondition { rules.enter(condition, &context) }
        visit(fragment.directives, at: .inlineFragment)
        let position = visit(fragment.selectionSet, parentType: type)
        context.index.selections[record] = SelectionRecord(kind: .inlineFragment, selectionSet: position)
    }

    // MARK: Directives, arguments and values

    @inline(__always)
    private mutating func visit(_ directives: [Directive], at location: DirectiveLocation) {
        if directives.isEmpty { return }
        context.index.directives = max(context.index.directives, directives.count)
        for directive in directives { visit(directive, at: location) }
    }

    private mutating func visit(_ directive: Directive, at location: DirectiveLocation) {
        context.directive = context.schema.directive(named: directive.name.value)
        rules.enter(directive, at: location, &context)
        if !directive.arguments.isEmpty {
            // A directive's arguments never belong to the field, even if the directive is unknown.
            let field = context.field
            context.field = nil
            for argument in directive.arguments {
                visit(argument, definition: context.directive?.argument(named: argument.name.value))
            }
            context.field = field
        }
        rules.leave(directive, &context)
        context.directive = nil
    }

    private mutating func visit(_ argument: Argument, definition: InputValueType?) {
        context.argument = definition
        rules.enter(argument, &context)
        visit(argument.value, type: definition?.type, hasDefault: definition?.defaultLiteral != nil)
        context.argument = nil
    }

    private mutating func visit(
        _ value: Value, type: TypeReference?, hasDefault: Bool, oneOf: VariableUsage.OneOfPosition? = nil
    ) {
        context.inputType = type
        switch value.kind {
        case .variable(let name):
            context.index.variableUsages.append(
                VariableUsage(
                    name: context.index.names.id(of: name), location: value.location, type: type,
                    hasDefault: hasDefault,
                    oneOf: oneOf))
        case .list(let items):
            rules.enter(value, &context)
            let itemType = type?.itemType
            for item in items { visit(item, type: itemType, hasDefault: false) }
            context.inputType = type
            rules.leave(value, &context)
        case .object(let fields):
            rules.enter(value, &context)
            visit(fields, of: type)
            context.inputType = type
            rules.leave(value, &context)
        case .int, .float, .string, .boolean, .null, .enumeration:
            rules.enter(value, &context)
        }
    }

    private mutating func visit(_ fields: [ObjectField], of type: TypeReference?) {
        var object: InputObjectType?
        var oneOf: VariableUsage.OneOfPosition?
        if let type, case .inputObject(let inputObject) = context.schema[type.namedType] {
            object = inputObject
            if inputObject.isOneOf {
                oneOf = .init(type: type.namedType, isWrapped: type != .named(type.namedType))
            }
        }
        let isSensitive = context.isSensitive
        for field in fields {
            let definition = object?.field(named: field.name.value)
            context.inputObject = object
            context.inputType = definition?.type
            rules.enter(field, &context)
            context.isSensitive = isSensitive || definition?.isSensitive ?? false
            visit(field.value, type: definition?.type, hasDefault: definition?.defaultLiteral != nil, oneOf: oneOf)
            context.isSensitive = isSensitive
        }
    }
}

extension OperationType {
    var directiveLocation: DirectiveLocation {
        switch self {
        case .query: .query
        case .mutation: .mutation
        case .subscription: .subscription
        }
    }
}

extension TypeReference {
    /// The type of the items of a list literal at this position. Where the type is no list, the items have the type
    /// itself, without its `!`.
    var itemType: TypeReference {
        if case .list(let item) = nullable { item } else { nullable }
    }
}

extension Schema {
    func composite(_ type: TypeIndex) -> TypeIndex? { self[type].isComposite ? type : nil }

    func compositeType(named name: String) -> TypeIndex? { typeIndex(named: name).flatMap(composite) }
}
