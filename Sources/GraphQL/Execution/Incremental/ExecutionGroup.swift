/// Deferred fields of any number of objects, or the remaining items of a streamed field's lists. They are executed
/// together once the client waits for them. Each group has its own rounds, so no group delays another.
struct ExecutionGroup {
    var objects: [DeferredObjects] = []
    var tails: [StreamTail] = []

    var parts: [IncrementalPart] { objects + tails }
}

/// Objects or items whose execution begins when the client first waits for them.
class IncrementalPart {
    enum State { case idle, started, executed }

    final var state = State.idle
}

/// The fields that all objects at one place of the plan deliver later.
final class DeferredObjects: IncrementalPart {
    let objects: ObjectSet
    /// Positions in `OperationPlan.deferUsages`.
    let usages: [Int]

    init(_ objects: ObjectSet, usages: [Int]) {
        self.objects = objects
        self.usages = usages
    }
}

/// The items that all lists at one place of the plan deliver later.
final class StreamTail: IncrementalPart {
    let field: PlannedField
    let stream: StreamUsage
    /// Slot i holds the items `offsets[i] ..< offsets[i + 1]`.
    let offsets: [Int32]
    let rest: CompletedColumn
    var items: CompletedSlots?

    init(_ field: PlannedField, _ stream: StreamUsage, offsets: [Int32], _ rest: CompletedColumn) {
        self.field = field
        self.stream = stream
        self.offsets = offsets
        self.rest = rest
    }

    func rows(_ slot: Int) -> Range<Int> { Int(offsets[slot])..<Int(offsets[slot + 1]) }
}

/// A group and its `Execution`. The delivering task begins the execution, a child task runs its rounds, and then the
/// delivering task writes the outcome. `@unchecked Sendable` is safe because only one task at a time uses the
/// execution.
struct StartedGroup: @unchecked Sendable {
    let group: ExecutionGroup
    let execution: Execution
}
