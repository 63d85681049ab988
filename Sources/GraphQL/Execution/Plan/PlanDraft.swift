/// Selections of one object type, before look-ahead.
struct PlanDraft {
    let type: TypeIndex
    let depth: Int
    /// The usages that its fields are delivered with; none where that is together with the operation's first fields,
    /// or with the items of a streamed list.
    let group: [Int]
    let selectionSets: [CollectedSelectionSet]
    /// The fields of one that is a part of another draft.
    var collected: [[CollectedField]]?
    var fields: [DraftField] = []
    var usages = 0..<0
    var deferred: [(usages: [Int], draft: Int)] = []
}

struct DraftField {
    let nodes: [Field]
    let definition: FieldType?
    let resolver: FieldResolver?
    var children: [(type: TypeIndex, draft: Int)] = []
    var stream: (directive: Directive, children: [(type: TypeIndex, draft: Int)])?
}

/// Equal keys select the same below, and share a plan: else types that refer to each other through abstract types
/// would multiply with each level.
struct DraftKey: Hashable {
    let type: TypeIndex
    let depth: Int
    let selectionSets: [Location]
    let usages: [Int]
    let group: [Int]
}
