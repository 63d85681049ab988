/// The objects of one type at one place of a plan, with the results of their fields.
final class ObjectSet {
    let selection: SelectionPlan
    let column: AnyColumn
    let count: Int
    /// The completed results by position in the selection; nil for fields that the writer reads from the column.
    var results: [CompletedSlots?]
    /// The fields that are delivered later, in the order of the selection's `Deferral.groups`.
    var deferred: [DeferredObjects] = []

    init(_ selection: SelectionPlan, _ column: AnyColumn, count: Int) {
        self.selection = selection
        self.column = column
        self.count = count
        results = Array(repeating: nil, count: selection.fields.count)
    }
}

/// A `CompletedColumn` whose objects are split by type, and whose errors are replaced by those that clients may see.
/// The response is written from it. A slot is the place of one value in the column.
indirect enum CompletedSlots {
    case leafs(AnyColumn)
    case objects(ObjectSet)
    /// `AbstractSplit` has, for each slot, the index of its set and the row in that set.
    case abstract(AbstractSplit, [ObjectSet])
    case optional(rows: [Int32], CompletedSlots)
    case list(offsets: [Int32], CompletedSlots)
    /// The first items of lists. The `StreamTail` holds the items that are delivered later.
    case streamed(offsets: [Int32], CompletedSlots, StreamTail)
    case failing(rows: [Int32], errors: [ExecutionError], CompletedSlots)
    /// The same error in every slot.
    case failed(ExecutionError)
}
