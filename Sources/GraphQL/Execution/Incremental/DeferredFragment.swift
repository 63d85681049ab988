/// From the root: an index of a list as it is, a field as the complement of its index in the plan.
typealias PlanPath = [Int]

/// What a client is told to wait for: a fragment of one object, or the rest of one list.
class PendingResult {
    let label: String?
    let path: PlanPath
    /// Given once it is announced.
    final var id: Int?

    init(label: String?, path: PlanPath) {
        self.label = label
        self.path = path
    }
}

/// A fragment with @defer, of one object.
/// Spec: incremental delivery, "deferred fragment"
final class DeferredFragment: PendingResult {
    enum State {
        /// For its parent to be complete.
        case waiting
        case announced
        /// It had nothing of its own to deliver.
        case passed
        case completed, failed
    }

    let parent: DeferredFragment?
    var state = State.waiting
    /// Whether its parent knows of it.
    var isLinked = false
    /// What is told of once it is complete.
    var children: [PendingResult] = []
    /// What it delivers.
    var parts: [DeferredPart] = []
    /// How many of its parts are not executed yet.
    var waitingParts = 0

    init(label: String?, path: PlanPath, parent: DeferredFragment?) {
        self.parent = parent
        super.init(label: label, path: path)
    }
}

/// The rest of a list.
final class StreamedList: PendingResult {
    let tail: StreamTail
    let slot: Int
    /// The index of the first item that comes later.
    let firstIndex: Int

    init(_ tail: StreamTail, slot: Int, firstIndex: Int, path: PlanPath) {
        self.tail = tail
        self.slot = slot
        self.firstIndex = firstIndex
        super.init(label: tail.stream.label, path: path)
    }
}

/// Fields of one object that come with the first of their fragments that is complete.
final class DeferredPart {
    enum State {
        case waiting
        case written(WrittenPart)
        case delivered, failed
    }

    let deferred: DeferredObjects
    let row: Int
    let path: PlanPath
    let fragments: [DeferredFragment]
    /// By usage: the fragments that enclose the object.
    let enclosing: [DeferredFragment?]
    var state = State.waiting

    init(
        _ deferred: DeferredObjects, row: Int, path: PlanPath, fragments: [DeferredFragment],
        enclosing: [DeferredFragment?]
    ) {
        self.deferred = deferred
        self.row = row
        self.path = path
        self.fragments = fragments
        self.enclosing = enclosing
    }

    var isWaiting: Bool { if case .waiting = state { true } else { false } }
}

/// What is written when it is executed.
enum Delivery {
    case part(DeferredPart)
    case stream(StreamedList)

    var source: ExecutedLater {
        switch self {
        case .part(let part): part.deferred
        case .stream(let stream): stream.tail
        }
    }
}

/// Bytes of a part or of items, and what was found to come later while they were written.
struct WrittenPart {
    /// nil where an error leaves nothing.
    var bytes: [UInt8]?
    var errors: [GraphQLError]
    var later: [Delivery]
    /// Of items: how many, and the errors that end the stream after them.
    var itemCount = 0
    var failure: [GraphQLError] = []
}
