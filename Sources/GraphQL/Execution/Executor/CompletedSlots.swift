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

/// A `CompletedColumn` with its objects sorted by type and its errors masked. The response is written from it.
indirect enum CompletedSlots {
    case leafs(AnyColumn)
    case objects(ObjectSet)
    /// Each slot has a position among the sets, and a row in that set.
    case abstract(AbstractSplit, [ObjectSet])
    case optional(rows: [Int32], CompletedSlots)
    case list(offsets: [Int32], CompletedSlots)
    /// The first items of lists whose others are delivered later.
    case streamed(offsets: [Int32], CompletedSlots, StreamTail)
    case failing(rows: [Int32], errors: [ExecutionError], CompletedSlots)
    /// The same error in every slot.
    case failed(ExecutionError)
}
