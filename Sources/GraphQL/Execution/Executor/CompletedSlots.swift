/// The objects of one type that one place of a plan is executed for, with what their fields gave.
final class ObjectSet {
    let selection: SelectionPlan
    let column: AnyColumn
    let count: Int
    /// By position in the selection; nil for the fields that are written from the column.
    var results: [CompletedSlots?]
    /// Those of their fields that are delivered later, as the selection's `Deferral` has them.
    var deferred: [DeferredObjects] = []

    init(_ selection: SelectionPlan, _ column: AnyColumn, count: Int) {
        self.selection = selection
        self.column = column
        self.count = count
        results = Array(repeating: nil, count: selection.fields.count)
    }
}

/// A `CompletedColumn` with its objects sorted by type and its errors masked: what the response is written from.
indirect enum CompletedSlots {
    case leafs(AnyColumn)
    case objects(ObjectSet)
    /// For each slot a position in the sets and a row there.
    case abstract(AbstractSplit, [ObjectSet])
    case optional(rows: [Int32], CompletedSlots)
    case list(offsets: [Int32], CompletedSlots)
    /// The first items of lists whose others are delivered later.
    case streamed(offsets: [Int32], CompletedSlots, StreamTail)
    case failing(rows: [Int32], errors: [ExecutionError], CompletedSlots)
    /// All slots.
    case failed(ExecutionError)
}
