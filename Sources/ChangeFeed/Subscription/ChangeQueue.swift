import GraphQL
import Synchronization

/// The changes that wait for the reader of one subscription, and the state of that reader: busy in a task, waiting in a
/// task, or parked without one.
@usableFromInline
final class ChangeQueue: Sendable {
    /// The number of changes that may wait. A reader that falls behind further has to resume from its cursor.
    static let limit = 1_000

    private enum Reading {
        /// A task handles the change that it has taken, or no task has asked for one yet.
        case busy
        /// A task waits for the next change.
        case waiting(CheckedContinuation<MatchedChange?, any Error>)
        /// No task reads. The fan-out hands the queued changes to the reader, in their order.
        case parked(ChangeReader, SequencerSlot?)
        /// The reader is parked, and a change is being handed to it. `needsTask`: a task has to read the queue after
        /// that.
        case receiving(ChangeReader, SequencerSlot?, needsTask: Bool)
    }

    private struct State {
        /// The position up to which the subscriber has all changes; nil while older changes are still read.
        var after: ChangePosition?
        var queue: ArraySlice<MatchedChange> = []
        /// The error that the reader gets once it has read the queue.
        var end: ExecutionError?
        /// True once the subscription has ended, so that nobody reads the queue any more.
        var isStopped = false
        var reading = Reading.busy
        /// True while the reader has handled every change that it got, and looks for more in the queue.
        var isAsking = false
        /// The cursor of the change that the reader handles, and that of the change that it handled last.
        var current: ChangeCursor?
        var sent: ChangeCursor?

        mutating func take() -> Result<MatchedChange?, any Error>? {
            guard let change = pop() else { return isStopped ? .success(nil) : end.map { .failure($0) } }
            isAsking = false
            return .success(change)
        }

        // The last pop also releases the storage of the popped changes.
        mutating func pop() -> MatchedChange? {
            defer { if queue.isEmpty { queue = [] } }
            return queue.popFirst()
        }

        /// Makes a task of the reader look at the queue. The caller has to resume the returned continuation, or wake
        /// the returned reader.
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

    /// Opens the queue for new changes.
    /// - Parameter after: the position up to which the subscriber has older changes already.
    func start(after: ChangePosition) { state.withLock { $0.after = after } }

    @usableFromInline
    enum Offered {
        case unconcerned, given
        /// The reader is parked, and gets the response that others get.
        case shared(ChangeReader)
        /// The reader was parked, and the caller has to wake it.
        case needsTask(ChangeReader)
        /// The queue was full.
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
                // The queue ends at once: otherwise a later change could find room, and its cursor would cover the
                // lost change.
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

    /// Ends the queue: it takes no more changes. `finish(throwing:)` tells the reader.
    func end(with error: ExecutionError) { state.withLock { $0.end = $0.end ?? error } }

    func finish(throwing error: ExecutionError) {
        let (waiting, parked) = state.withLock { state in
            state.end = state.end ?? error
            return state.interrupt()
        }
        waiting?.resume(throwing: error)
        parked?.sink.wake()
    }

    // MARK: - To a task

    /// The reader has handled the change that it got last.
    /// - Parameter asksLive: whether the reader waits for new changes, having read all older ones.
    func ask(live asksLive: Bool) {
        state.withLock { state in
            state.sent = state.current ?? state.sent
            state.current = nil
            state.isAsking = asksLive
        }
    }

    func give(_ cursor: ChangeCursor) { state.withLock { $0.current = cursor } }

    /// The oldest change that waits, or the next one that comes; nil if the task is cancelled or the queue was stopped.
    /// - Throws: the error that ended the queue, once all of its changes were read.
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

    /// True while the reader has handled every change so far, and waits.
    var isIdle: Bool { state.withLock { $0.isAsking && $0.queue.isEmpty && $0.end == nil } }

    /// The number of changes that wait for the reader.
    var count: Int { state.withLock { $0.queue.count } }

    /// The cursor of the change that the reader handled last.
    var sent: ChangeCursor? { state.withLock { $0.sent } }

    /// True where the queue holds a newer change of the object, and the reading that all subscribers share was made
    /// before that change came. Changes of counters alone do not count.
    func hasNewer(than change: SharedChange) -> Bool {
        state.withLock { $0.queue.contains { change.isRead(before: $0.shared) } }
    }

    // MARK: - To a parked reader

    /// - Returns: false if the reader's task has to go on: a change waits, or the queue is not open yet or has ended.
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

    /// The right to hand a change to a parked reader.
    @usableFromInline
    struct Handover {
        @usableFromInline let reader: ChangeReader
        let slot: SequencerSlot?
        /// True where the queue holds a newer change of the object, and the reading that all subscribers share was made
        /// before that change came. Changes of counters alone do not count.
        @usableFromInline let hasNewer: Bool

        /// True where the subscription has no sequencer, or the sequencer lets the change be sent at once.
        @usableFromInline var isNext: Bool { slot?.isNext ?? true }
    }

    /// Takes the oldest change, if it is this one and the reader is parked.
    /// - Returns: nil if a task has read this change already, or reads the queue now and comes to it.
    @usableFromInline
    func beginHandover(of change: MatchedChange) -> Handover? {
        state.withLock { state in
            guard case .parked(let reader, let slot) = state.reading, state.queue.first?.shared === change.shared
            else { return nil }
            _ = state.pop()
            state.isAsking = false
            state.reading = .receiving(reader, slot, needsTask: false)
            let hasNewer = state.queue.contains { change.shared.isRead(before: $0.shared) }
            return Handover(reader: reader, slot: slot, hasNewer: hasNewer)
        }
    }

    /// - Parameter isDone: false if a task has to read the change.
    @usableFromInline
    func finish(_ handover: Handover, _ change: MatchedChange, isDone: Bool) {
        let parks = state.withLock { state in
            let wasInterrupted = if case .receiving(_, _, true) = state.reading { true } else { false }
            if isDone {
                state.sent = change.shared.cursor
                state.isAsking = true
            } else {
                state.queue.insert(change, at: state.queue.startIndex)
            }
            let parks = isDone && !wasInterrupted
            state.reading = parks ? .parked(handover.reader, handover.slot) : .busy
            return parks
        }
        if parks { handover.slot?.ask(self) } else { handover.reader.sink.wake() }
    }

    /// No response to the change can be shared: a reader that is still parked is woken, and reads the change itself.
    func fail(_ change: MatchedChange) {
        let reader = state.withLock { state -> ChangeReader? in
            guard case .parked(let reader, _) = state.reading, state.queue.first?.shared === change.shared else {
                return nil
            }
            state.reading = .busy
            return reader
        }
        reader?.sink.wake()
    }

    /// Ends the queue because nobody reads it any more.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            state.queue = []
            return state.interrupt().waiting
        }
        waiting?.resume(returning: nil)
    }
}
