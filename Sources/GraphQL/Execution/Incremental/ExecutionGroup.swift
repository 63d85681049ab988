/// What is executed together once the client waits for it: deferred fields of any number of objects, or the rest of a
/// streamed field's lists. Its rounds are its own, so that it holds nothing up and nothing holds it up.
struct ExecutionGroup {
    var objects: [DeferredObjects] = []
    var tails: [StreamTail] = []

    func finish() -> [Delivery] {
        var waiting: [Delivery] = []
        for part in objects as [ExecutedLater] + tails {
            part.state = .executed
            waiting += part.waiting
            part.waiting = []
        }
        return waiting
    }
}

/// What of the plan's tree is executed when it is first waited for.
class ExecutedLater {
    enum State { case idle, started, executed }

    final var state = State.idle
    /// What can be written once it is executed.
    final var waiting: [Delivery] = []
}

/// Fields of objects that are delivered later, for all objects of one place of the plan.
final class DeferredObjects: ExecutedLater {
    let objects: ObjectSet
    /// Positions in the plan's.
    let usages: [Int]

    init(_ objects: ObjectSet, usages: [Int]) {
        self.objects = objects
        self.usages = usages
    }
}

/// The items of a field's lists that are delivered later, for all lists of one place of the plan.
final class StreamTail: ExecutedLater {
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

/// An `Execution` that one task at a time works on: first the one that delivers, then that of the group's rounds, and
/// the first again when they have ended.
struct StartedGroup: @unchecked Sendable {
    let group: ExecutionGroup
    let execution: Execution
}
