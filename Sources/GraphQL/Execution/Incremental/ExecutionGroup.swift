/// Deferred fields of any number of objects, or the rest of a streamed field's lists, which are executed together once
/// the client waits for them. A group has rounds of its own: it delays no other group, and none delays it.
struct ExecutionGroup {
    var objects: [DeferredObjects] = []
    var tails: [StreamTail] = []

    /// Marks the group as executed.
    /// - Returns: the deliveries that waited for it.
    func finish() -> [Delivery] {
        var waiting: [Delivery] = []
        for part in objects as [IncrementalPart] + tails {
            part.state = .executed
            waiting += part.waiting
            part.waiting = []
        }
        return waiting
    }
}

/// Objects or items whose execution begins when the client first waits for them.
class IncrementalPart {
    enum State { case idle, started, executed }

    final var state = State.idle
    /// The deliveries to write once it is executed.
    final var waiting: [Delivery] = []
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

/// A group and its `Execution`, which one task at a time uses: the delivering task begins it, a child task runs its
/// rounds, and the delivering task writes the outcome. That makes it safe to send unchecked.
struct StartedGroup: @unchecked Sendable {
    let group: ExecutionGroup
    let execution: Execution
}
