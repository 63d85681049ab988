/// Spec: 5.3.2 Field Selection Merging
///
/// `MergeCheck` finds out, without comparing all pairs, whether all fields of the document can be merged. Only where
/// they cannot, `ConflictSearch` compares pairs of fields to report each conflict.
struct OverlappingFieldsCanBeMerged: ValidationRule {
    func enter(_ selectionSet: SelectionSet, _ context: inout ValidationContext) {
        let current = context.index.selectionSets.count - 1
        context.index.selectionSets[current].ordinal = context.reserveOrdinal()
    }

    func leave(_ document: Document, _ context: inout ValidationContext) {
        do throws(ComparisonLimit) {
            var check = MergeCheck(context.index, context.schema, maximum: context.options.maximumFieldComparisons)
            if try check.canMergeAll() { return }
            try reportConflicts(&context)
        } catch {
            context.report(error.report(ordinal: context.index.selectionSets.first?.ordinal ?? 0))
        }
    }

    private func reportConflicts(_ context: inout ValidationContext) throws(ComparisonLimit) {
        var search = ConflictSearch(context.index, context.schema, maximum: context.options.maximumFieldComparisons)
        var found: [(conflict: FieldConflict, ordinal: Int32)] = []
        let inlineFragments = context.index.selections.filter { $0.kind == .inlineFragment }
        // The fields of an inline fragment are compared, and reported, with those of the set around it.
        let nested = Set(inlineFragments.map { Int($0.selectionSet) })
        for set in context.index.selectionSets.indices
        where found.count <= context.options.maximumErrors && !nested.contains(set) {
            let ordinal = context.index.selectionSets[set].ordinal
            search.conflictsWanted = context.options.maximumErrors + 1 - found.count
            found += try search.conflicts(within: Int32(set)).map { ($0, ordinal) }
        }
        for (conflict, ordinal) in found {
            let name = context.index.names.name(conflict.responseName)
            context.report(
                "Fields \"\(name)\" conflict because \(conflict.reason(context.index.names)). "
                    + "Use different aliases on the fields to fetch both if this was intentional.",
                at: conflict.firstLocations + conflict.secondLocations, ordinal: ordinal)
        }
    }
}

/// Thrown where a document takes more steps than `ValidationOptions.maximumFieldComparisons` allows.
struct ComparisonLimit: Error {
    var maximum: Int
    var actual: Int

    func report(ordinal: Int32) -> ValidationContext.Report {
        ValidationContext.Report(
            ordinal: ordinal,
            message: "The document takes more than \(maximum) field comparisons to validate.",
            locations: [], code: .queryTooComplex,
            extensions: [
                (name: "limit", value: .string("fieldComparisons")), (name: "maximum", value: .int(maximum)),
                (name: "actual", value: .int(actual)),
            ])
    }
}

/// Counts the steps of a search, and ends the search where they exceed a maximum.
struct ComparisonBudget {
    let maximum: Int
    private var comparisons = 0
    /// Visits of a field or a fragment, which are far cheaper than comparisons of two fields.
    private var visits = 0

    init(maximum: Int) { self.maximum = maximum }

    @inline(__always)
    mutating func compare() throws(ComparisonLimit) {
        comparisons += 1
        if comparisons > maximum { throw ComparisonLimit(maximum: maximum, actual: comparisons) }
    }

    @inline(__always)
    mutating func visit() throws(ComparisonLimit) {
        visits += 1
        if visits > maximum * 40 { throw ComparisonLimit(maximum: maximum, actual: visits) }
    }

    /// Ends a search whose recursion, through subselections and fragments, could overflow the stack.
    func enter(depth: Int) throws(ComparisonLimit) {
        if depth > 250 { throw ComparisonLimit(maximum: maximum, actual: max(comparisons, maximum + 1)) }
    }
}
