/// How responses that come in several parts are written, and what they hold.
public enum IncrementalFormat: Hashable, Sendable {
    /// `pending`, `incremental`, `completed`: each field comes once.
    /// Spec: incremental delivery, 7.1 Response Format; over HTTP `incrementalSpec=v0.2`
    case current
    /// `incremental` with paths: each deferred fragment comes with all its fields, whatever came before.
    /// Over HTTP `deferSpec=20220824`
    case deferSpec20220824
}

/// An @defer at one place of a plan.
/// Spec: incremental delivery, 6.3.2 Field Collection, "defer usage"
struct DeferUsage: Sendable {
    let label: String?
    /// The usage that encloses it, as a position in the plan's.
    let parent: Int?
}

/// What @defer makes of the selections of objects of one type at one place of a plan.
struct Deferral: Sendable {
    /// The usages that begin here, as positions in the plan's.
    let usages: Range<Int>
    let groups: [DeferredSelection]
}

/// Fields of an object that are delivered together, as soon as one of their usages is.
/// Spec: incremental delivery, 6.3.2 BuildExecutionPlan
struct DeferredSelection: Sendable {
    /// Positions in the plan's.
    let usages: [Int]
    /// The position in the plan's selections.
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
    /// Of the items that come later: what is deferred outside of them is not deferred any more.
    let children: PlannedField.Children
}

/// Where a field was collected.
struct CollectedField {
    let node: Field
    /// The @defer that it is in, as a position among the usages, or -1.
    let usage: Int
}

extension [CollectedField] {
    /// A field that is in several fragments with @defer is collected with each.
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
    /// The usages whose delivery brings the fields: none if one of them is not deferred; and not those in another.
    /// Spec: incremental delivery, 6.3.2 BuildExecutionPlan, GetFilteredDeferUsageSet
    func filtered(of fields: [CollectedField]) -> [Int] {
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
