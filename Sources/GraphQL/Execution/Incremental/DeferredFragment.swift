/// A path in the response, from the root. A list item is its index; a field is `~PlannedField.index`, a negative
/// number.
typealias PlanPath = [Int]

/// An entry of `pending`: a deferred fragment of one object, or the rest of one streamed list.
class PendingResult {
    let label: String?
    let path: PlanPath
    /// The number by which the client knows the result; nil until it is announced.
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
        /// Not announced, since its parent is not complete.
        case waiting
        case announced
        /// Never announced, since it has nothing of its own to deliver.
        case passed
        case completed, failed
    }

    let parent: DeferredFragment?
    var state = State.waiting
    /// True where the fragment is among its parent's `children`, or is to be announced without waiting for a parent.
    var isLinked = false
    /// The results to announce once this fragment is complete.
    var children: [PendingResult] = []
    /// The parts that deliver its fields.
    var parts: [DeferredPart] = []
    /// The number of its parts that are not written yet.
    var waitingParts = 0

    init(label: String?, path: PlanPath, parent: DeferredFragment?) {
        self.parent = parent
        super.init(label: label, path: path)
    }
}

/// The items of one list that are delivered later.
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

/// The fields of one object that are in the same deferred fragments. They are delivered once, with the first of these
/// fragments that is complete.
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
    /// The fragments that enclose the object, by position in `OperationPlan.deferUsages`.
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

/// A part or a list to write and deliver after the first response.
enum Delivery {
    case part(DeferredPart)
    case stream(StreamedList)

    /// The fields or items that have to be executed before the delivery is written.
    var source: IncrementalPart {
        switch self {
        case .part(let part): part.deferred
        case .stream(let stream): stream.tail
        }
    }
}

/// A part, or the items of a list, as bytes, with the deliveries that were found below them.
struct WrittenPart {
    /// nil where an error propagated to the top, or there is no item.
    var bytes: [UInt8]?
    var errors: [GraphQLError]
    var later: [Delivery]
    /// The number of a list's items written; 0 for a part that is no list.
    var itemCount = 0
    /// The errors that end a list after these items; empty if the list is complete.
    var failure: [GraphQLError] = []
}
