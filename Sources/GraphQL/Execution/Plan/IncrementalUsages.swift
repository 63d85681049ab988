/// The format of a response that comes in several parts.
public enum IncrementalFormat: Hashable, Sendable {
    /// `pending`, `incremental` and `completed`: each field is delivered once.
    /// Spec: incremental delivery, 7.1 Response Format; over HTTP `incrementalSpec=v0.2`
    case current
    /// `incremental` with paths: a deferred fragment is delivered with all its fields, even those delivered before.
    /// Spec: incremental delivery as of 2022-08-24; over HTTP `deferSpec=20220824`
    case deferSpec
}

/// An @defer at one place of a plan.
/// Spec: incremental delivery, 6.3.2 Field Collection, "defer usage"
struct DeferUsage: Sendable {
    let label: String?
    /// The usage that encloses this one, a position in `OperationPlan.deferUsages`; nil for none, and in
    /// `IncrementalFormat.deferSpec`.
    let parent: Int?
}

/// The @defer of a selection: the usages that begin at its objects, and the fields that are delivered later.
struct Deferral: Sendable {
    /// The usages that begin here, positions in `OperationPlan.deferUsages`.
    let usages: Range<Int>
    let groups: [DeferredSelection]
}

/// Fields of an object that are delivered together, as soon as one of their usages is complete.
/// Spec: incremental delivery, 6.4.5 Execution Plan Generation, BuildExecutionPlan
struct DeferredSelection: Sendable {
    /// Positions in `OperationPlan.deferUsages`.
    let usages: [Int]
    /// The position in `OperationPlan.selections`.
    let selection: Int
}

/// An @stream of a field.
struct StreamUsage: Sendable {
    enum InitialCount: Sendable {
        case constant(Int)
        case variable(String)
    }

    let label: String?
    let initialCount: InitialCount
    /// The selections of the items that are delivered later. An @defer around the list defers no fields of these items.
    let children: PlannedField.Children
}

/// A field, and the @defer that it was collected in.
struct CollectedField {
    let node: Field
    /// The position of the @defer among the usages, or -1 for none.
    let usage: Int
}

extension [CollectedField] {
    /// The fields, each once. If several spreads of one fragment have @defer, each field of the fragment was collected
    /// once for each of the spreads.
    var distinctNodes: [Field] {
        if allSatisfy({ $0.usage < 0 }) { return map(\.node) }
        var nodes: [Field] = []
        for node in map(\.node) {
            if node.location != .none, nodes.contains(where: { $0.location == node.location }) { continue }
            nodes.append(node)
        }
        return nodes
    }
}

extension [DeferUsage] {
    /// The usages that deliver a group of fields. There are none if one of the fields is not deferred. Of nested usages
    /// only the outer one delivers.
    /// Spec: incremental delivery, 6.4.5 Execution Plan Generation, GetFilteredDeferUsageSet
    func filteredDeferUsageSet(_ fields: [CollectedField]) -> [Int] {
        var usages: [Int] = []
        for field in fields {
            if field.usage < 0 { return [] }
            if !usages.contains(field.usage) { usages.append(field.usage) }
        }
        if usages.count == 1 { return usages }
        return usages.filter { usage in
            var ancestor = self[usage].parent
            while let current = ancestor {
                if usages.contains(current) { return false }
                ancestor = self[current].parent
            }
            return true
        }.sorted()
    }
}
