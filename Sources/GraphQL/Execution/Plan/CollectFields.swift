/// Spec: 6.3.2 Field Collection
struct FieldCollector {
    let schema: Schema
    let fragments: [String: FragmentDefinition]
    let conditions: Conditions

    /// The fields to execute of an object of type `objectType`, those with one response name together, in the order of
    /// the first of each. A fragment is visited once for all selection sets: they are those of one merged field.
    func collectFields(_ objectType: TypeIndex, _ selectionSets: [SelectionSet]) -> [[Field]] {
        var groupedFields: [[Field]] = []
        var groups: [String: Int] = [:]
        var visitedFragments: Set<String> = []
        // A stack of our own, since a chain of fragments may be as long as the document.
        var pending = selectionSets.reversed().map { $0.selections[...] }
        while var selections = pending.popLast() {
            guard let selection = selections.popFirst() else { continue }
            pending.append(selections)
            switch selection {
            case .field(let field):
                guard conditions.includes(field.directives) else { continue }
                if let group = groups[field.responseName] {
                    groupedFields[group].append(field)
                } else {
                    groups[field.responseName] = groupedFields.count
                    groupedFields.append([field])
                }
            case .fragmentSpread(let spread):
                guard conditions.includes(spread.directives), !visitedFragments.contains(spread.name.value),
                    let fragment = fragments[spread.name.value]
                else { continue }
                visitedFragments.insert(spread.name.value)
                if doesFragmentTypeApply(objectType, fragment.typeCondition) {
                    pending.append(fragment.selectionSet.selections[...])
                }
            case .inlineFragment(let fragment):
                guard conditions.includes(fragment.directives),
                    fragment.typeCondition.map({ doesFragmentTypeApply(objectType, $0) }) ?? true
                else { continue }
                pending.append(fragment.selectionSet.selections[...])
            }
        }
        return groupedFields
    }

    private func doesFragmentTypeApply(_ objectType: TypeIndex, _ fragmentType: NamedTypeNode) -> Bool {
        guard let index = schema.typeIndex(named: fragmentType.name.value) else { return false }
        return schema.isPossible(objectType, for: index)
    }
}
