/// A selection set to collect from, and the @defer that encloses it: its position among the usages, or -1 for none.
struct CollectedSelectionSet {
    let selectionSet: SelectionSet
    let usage: Int
}

/// Spec: 6.3.2 Field Collection
struct FieldCollector {
    /// The largest number of uses of @defer in one operation. The fields below each use are collected once more.
    static let maximumDeferUsages = 256

    let schema: Schema
    let fragments: [String: FragmentDefinition]
    let conditions: Conditions
    /// nil where @defer and @stream have no effect.
    let format: IncrementalFormat?
    /// True where @defer and @stream are errors unless their argument `if` is false.
    let isSubscription: Bool

    private struct Visit: Hashable {
        let fragment: String
        let usage: Int
    }

    /// Collects the fields to execute on an object of type `objectType`, grouped by response name in the order of the
    /// first field of each group. All selection sets belong to one merged field, so a fragment that several of them
    /// spread in the same @defer is visited once.
    /// - Parameter usages: the uses of @defer known so far, to which new ones are added.
    /// - Throws: `QUERY_TOO_COMPLEX` where there are more than `maximumDeferUsages`.
    func collectFields(
        _ objectType: TypeIndex, _ selectionSets: [CollectedSelectionSet], usages: inout [DeferUsage]
    ) throws(RequestError) -> [[CollectedField]] {
        var groupedFields: [[CollectedField]] = []
        var groups: [String: Int] = [:]
        var visitedFragments: Set<Visit> = []
        // A stack of our own, since a chain of fragments may be as long as the document.
        var pending = selectionSets.reversed().map { (selections: $0.selectionSet.selections[...], usage: $0.usage) }
        while let set = pending.popLast() {
            var selections = set.selections
            let usage = set.usage
            guard let selection = selections.popFirst() else { continue }
            pending.append((selections, usage))
            switch selection {
            case .field(let field):
                guard conditions.includes(field.directives) else { continue }
                let collected = CollectedField(node: field, usage: usage)
                if let group = groups[field.responseName] {
                    groupedFields[group].append(collected)
                } else {
                    groups[field.responseName] = groupedFields.count
                    groupedFields.append([collected])
                }
            case .fragmentSpread(let spread):
                guard conditions.includes(spread.directives), let fragment = fragments[spread.name.value],
                    doesFragmentTypeApply(objectType, fragment.typeCondition)
                else { continue }
                let inner = try deferred(spread.directives, in: usage, &usages)
                if inner == usage,
                    !visitedFragments.insert(Visit(fragment: spread.name.value, usage: usage)).inserted
                {
                    continue
                }
                pending.append((fragment.selectionSet.selections[...], inner))
            case .inlineFragment(let fragment):
                guard conditions.includes(fragment.directives),
                    fragment.typeCondition.map({ doesFragmentTypeApply(objectType, $0) }) ?? true
                else { continue }
                let inner = try deferred(fragment.directives, in: usage, &usages)
                pending.append((fragment.selectionSet.selections[...], inner))
            }
        }
        return groupedFields
    }

    /// The usage that encloses the fields of a fragment with these directives.
    private func deferred(
        _ directives: [Directive], in usage: Int, _ usages: inout [DeferUsage]
    ) throws(RequestError) -> Int {
        guard !directives.isEmpty, let directive = try incremental("defer", directives) else { return usage }
        if usages.count >= Self.maximumDeferUsages {
            throw RequestError([
                GraphQLError("The operation defers too much to be planned.", code: .queryTooComplex)
            ])
        }
        // In the format of 2022 no fragment depends on another.
        let parent = usage >= 0 && format == .current ? usage : nil
        usages.append(DeferUsage(label: directive.label, parent: parent))
        return usages.count - 1
    }

    /// The @defer or @stream among directives, where it has an effect.
    /// Spec: incremental delivery, 6.3.2 CollectFields, "If this execution is for a subscription operation"
    func incremental(_ name: String, _ directives: [Directive]) throws(RequestError) -> Directive? {
        guard format != nil || isSubscription, let directive = conditions.active(name, directives) else { return nil }
        if isSubscription {
            throw RequestError([
                GraphQLError(
                    "@\(name) is not supported on subscriptions; disable it by its argument \"if\".",
                    code: .badUserInput)
            ])
        }
        return directive
    }

    private func doesFragmentTypeApply(_ objectType: TypeIndex, _ fragmentType: NamedTypeNode) -> Bool {
        guard let index = schema.typeIndex(named: fragmentType.name.value) else { return false }
        return schema.isPossible(objectType, for: index)
    }
}

extension Directive {
    /// The label of an @defer or @stream.
    var label: String? {
        guard case .string(let label)? = arguments.first(where: { $0.name.value == "label" })?.value.kind else {
            return nil
        }
        return label.value
    }
}
