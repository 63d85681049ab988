/// Spec: 5.2.4.1 Single Root Field
struct SingleFieldSubscriptions: ValidationRule {
    func enter(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        guard operation.operation == .subscription, let type = context.schema.subscriptionType else { return }
        let subject = operation.name.map { "Subscription \"\($0.value)\"" } ?? "Anonymous Subscription"
        var fields = SubscriptionFields(type: type)
        fields.collect(operation.selectionSet, context)
        for location in fields.conditions {
            context.report(
                "\(subject) must not use `@skip` or `@include` directives in the top level selection.", at: location)
        }
        if fields.groups.count > 1 {
            let extra = fields.groups.dropFirst().flatMap { $0.fields.map(\.location) }
            context.report("\(subject) must select only one top level field.", at: extra)
        }
        for group in fields.groups where group.fields[0].name.value.hasPrefix("__") {
            context.report(
                "\(subject) must not select an introspection top level field.", at: group.fields.map(\.location))
        }
    }
}

/// Spec: 5.2.4.1 CollectSubscriptionFields
private struct SubscriptionFields {
    let type: TypeIndex
    var groups: [(responseName: String, fields: [Field])] = []
    /// The places of @skip and @include.
    var conditions: [Location] = []
    private var positions: [String: Int] = [:]
    private var visitedFragments: Set<String> = []

    init(type: TypeIndex) { self.type = type }

    mutating func collect(_ selectionSet: SelectionSet, _ context: ValidationContext) {
        // No recursion, since fragments may nest as deep as the document is long. The next selection is `pending.last`.
        var pending = Array(selectionSet.selections.reversed())
        while let selection = pending.popLast() {
            switch selection {
            case .field(let field):
                noteConditions(field.directives)
                add(field)
            case .fragmentSpread(let spread):
                noteConditions(spread.directives)
                guard visitedFragments.insert(spread.name.value).inserted,
                    let fragment = context.fragment(named: spread.name.value),
                    applies(fragment.typeCondition, context.schema)
                else { continue }
                pending += fragment.selectionSet.selections.reversed()
            case .inlineFragment(let fragment):
                noteConditions(fragment.directives)
                if let condition = fragment.typeCondition, !applies(condition, context.schema) { continue }
                pending += fragment.selectionSet.selections.reversed()
            }
        }
    }

    private mutating func add(_ field: Field) {
        if let position = positions[field.responseName] {
            groups[position].fields.append(field)
        } else {
            positions[field.responseName] = groups.count
            groups.append((field.responseName, [field]))
        }
    }

    private mutating func noteConditions(_ directives: [Directive]) {
        for directive in directives where ["skip", "include"].contains(directive.name.value) {
            conditions.append(directive.location)
        }
    }

    /// Spec: 6.3.2 DoesFragmentTypeApply
    private func applies(_ condition: NamedTypeNode, _ schema: Schema) -> Bool {
        guard let fragmentType = schema.typeIndex(named: condition.name.value) else { return false }
        return fragmentType == type || schema.isPossible(type, for: fragmentType)
    }
}
