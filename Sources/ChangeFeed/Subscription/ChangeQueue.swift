import GraphQL
import Synchronization

/// The changes that wait for the reader of one subscription, and where that reader is: busy in a task, waiting in one,
/// or parked without one.
@usableFromInline
final class ChangeQueue: Sendable {
    /// Changes that wait for a reader; one that falls behind further than this has to come back with its cursor.
    static let limit = 1_000

    private enum Reading {
        /// A task deals with what it has taken, or nobody is there.
        case busy
        /// A task waits for the next.
        case waiting(CheckedContinuation<MatchedChange?, any Error>)
        /// No task does. What is queued is on its way to the reader, in its order.
        case parked(ChangeReader, SequencerSlot?)
        /// The same, and a change is being handed to it.
        case receiving(ChangeReader, SequencerSlot?, needsTask: Bool)
    }

    private struct State {
        /// nil while older changes are read.
        var after: ChangePosition?
        var queue: ArraySlice<MatchedChange> = []
        /// What its reader gets once it has read the queue.
        var end: ExecutionError?
        /// Nobody reads any more.
        var isStopped = false
        var reading = Reading.busy
        /// Whether its reader has dealt with everything that it got, and looks for more in the queue.
        var isAsking = false
        /// The change that its reader deals with, and the one before.
        var current: ChangeCursor?
        var sent: ChangeCursor?

        mutating func take() -> Result<MatchedChange?, any Error>? {
            guard let change = pop() else { return isStopped ? .success(nil) : end.map { .failure($0) } }
            isAsking = false
            return .success(change)
        }

        /// What was popped is let go of no later than with the last.
        mutating func pop() -> MatchedChange? {
            defer { if queue.isEmpty { queue = [] } }
            return queue.popFirst()
        }

        /// Its reader is to look for itself.
        mutating func interrupt() -> (waiting: CheckedContinuation<MatchedChange?, any Error>?, parked: ChangeReader?) {
            switch reading {
            case .busy: return (nil, nil)
            case .waiting(let continuation):
                reading = .busy
                return (continuation, nil)
            case .parked(let reader, _):
                reading = .busy
                return (nil, reader)
            case .receiving(let reader, let slot, _):
                reading = .receiving(reader, slot, needsTask: true)
                return (nil, nil)
            }
        }
    }

    private let state = Mutex(State())

    init() {}

    // MARK: - From the log

    /// From now on it is offered what comes.
    /// - Parameter after: older changes it has already.
    func start(after: ChangePosition) { state.withLock { $0.after = after } }

    @usableFromInline
    enum Offered {
        case unconcerned, given
        /// Its reader is parked, and gets what others get.
        case shared(ChangeReader)
        /// Its reader is to be woken.
        case needsTask(ChangeReader)
        /// There was no room for it.
        case overtaken
    }

    /// - Parameter isPlain: whether a parked reader can be handed the response that others get.
    @usableFromInline
    func offer(_ change: MatchedChange, isPlain: Bool) -> Offered {
        var waiting: CheckedContinuation<MatchedChange?, any Error>?
        defer { waiting?.resume(returning: change) }
        return state.withLock { state in
            guard let after = state.after, after < change.shared.cursor.position, state.end == nil, !state.isStopped
            else { return .unconcerned }
            if state.queue.count >= Self.limit {
                // At once, or the next would be taken for all that came.
                state.end = .fellBehind
                return .overtaken
            }
            switch state.reading {
            case .waiting(let continuation):
                state.reading = .busy
                state.isAsking = false
                waiting = continuation
                return .given
            case .busy:
                state.queue.append(change)
                return .given
            case .parked(let reader, _):
                state.queue.append(change)
                if isPlain { return .shared(reader) }
                state.reading = .busy
                return .needsTask(reader)
            case .receiving(let reader, let slot, let needsTask):
                state.queue.append(change)
                if isPlain && !needsTask { return .shared(reader) }
                state.reading = .receiving(reader, slot, needsTask: true)
                return .given
            }
        }
    }

    /// It is offered nothing any more. `finish` tells its reader.
    func end(with error: ExecutionError) { state.withLock { $0.end = $0.end ?? error } }

    func finish(throwing error: ExecutionError) {
        let (waiting, parked) = state.withLock { state in
            state.end = state.end ?? error
            return state.interrupt()
        }
        waiting?.resume(throwing: error)
        parked?.wake()
    }

    // MARK: - To a task

    /// Its reader has dealt with the change that it got last.
    /// - Parameter asksLive: whether it waits for what is offered, having had everything else.
    func ask(live asksLive: Bool) {
        state.withLock { state in
            state.sent = state.current ?? state.sent
            state.current = nil
            state.isAsking = asksLive
        }
    }

    func give(_ cursor: ChangeCursor) { state.withLock { $0.current = cursor } }

    /// The oldest change that waits, or the next that comes; nil when the task is cancelled.
    func next() async throws -> MatchedChange? {
        if let now = state.withLock({ $0.take() }) { return try now.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let now = state.withLock { state -> Result<MatchedChange?, any Error>? in
                    if let now = state.take() { return now }
                    if Task.isCancelled { return .success(nil) }
                    state.reading = .waiting(continuation)
                    return nil
                }
                if let now { continuation.resume(with: now) }
            }
        } onCancel: {
            state.withLock { $0.interrupt().waiting }?.resume(returning: nil)
        }
    }

    /// Whether its reader has dealt with every change so far, and waits.
    var isIdle: Bool { state.withLock { $0.isAsking && $0.queue.isEmpty && $0.end == nil } }

    /// Changes that wait for its reader.
    var count: Int { state.withLock { $0.queue.count } }

    /// The change that its reader dealt with last.
    var sent: ChangeCursor? { state.withLock { $0.sent } }

    /// Whether a newer change of the object came after its shared reading.
    func hasNewer(than change: SharedChange) -> Bool {
        state.withLock { $0.queue.contains { change.isRead(before: $0.shared) } }
    }

    // MARK: - To a parked reader

    /// - Returns: false where there is something for a task to read.
    func park(_ reader: ChangeReader, at slot: SequencerSlot?) -> Bool {
        let parks = state.withLock { state in
            guard state.after != nil, state.queue.isEmpty, state.end == nil, !state.isStopped else { return false }
            state.sent = state.current ?? state.sent
            state.current = nil
            state.isAsking = true
            state.reading = .parked(reader, slot)
            return true
        }
        if parks { slot?.ask(self) }
        return parks
    }

    /// A change that is being handed to a parked reader.
    @usableFromInline
    struct Claim {
        @usableFromInline let reader: ChangeReader
        let slot: SequencerSlot?
        /// Whether a newer change of the object came after the shared reading.
        @usableFromInline let hasNewer: Bool

        /// Whether the connection's order lets it be sent at once.
        @usableFromInline var isNext: Bool { slot?.isNext ?? true }
    }

    /// - Returns: nil where a task reads by now, that change too.
    @usableFromInline
    func claim(_ change: MatchedChange) -> Claim? {
        state.withLock { state in
            guard case .parked(let reader, let slot) = state.reading, state.queue.first?.shared === change.shared
            else { return nil }
            _ = state.pop()
            state.isAsking = false
            state.reading = .receiving(reader, slot, needsTask: false)
            let hasNewer = state.queue.contains { change.shared.isRead(before: $0.shared) }
            return Claim(reader: reader, slot: slot, hasNewer: hasNewer)
        }
    }

    /// - Parameter isDone: false where a task has to read the change.
    @usableFromInline
    func finish(_ claim: Claim, _ change: MatchedChange, isDone: Bool) {
        let parks = state.withLock { state in
            let wasInterrupted = if case .receiving(_, _, true) = state.reading { true } else { false }
            if isDone {
                state.sent = change.shared.cursor
                state.isAsking = true
            } else {
                state.queue.insert(change, at: state.queue.startIndex)
            }
            let parks = isDone && !wasInterrupted
            state.reading = parks ? .parked(claim.reader, claim.slot) : .busy
            return parks
        }
        if parks { claim.slot?.ask(self) } else { claim.reader.wake() }
    }

    /// There is no response to share: its reader finds out for itself, where it is still parked.
    func fail(_ change: MatchedChange) {
        let reader = state.withLock { state -> ChangeReader? in
            guard case .parked(let reader, _) = state.reading, state.queue.first?.shared === change.shared else {
                return nil
            }
            state.reading = .busy
            return reader
        }
        reader?.wake()
    }

    /// Nobody reads any more.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            state.queue = []
            return state.interrupt().waiting
        }
        waiting?.resume(returning: nil)
    }
}
