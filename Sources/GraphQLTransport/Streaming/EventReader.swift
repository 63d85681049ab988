import GraphQL
import Synchronization

/// Reads the events of one subscription in a task. The task ends when no event is ready. The next event starts another
/// task, unless many subscribers share its response: `write` delivers a shared response without a task.
final class EventReader: ResponseSink {
    private struct State {
        var task: Task<Void, Never>?
        /// The number of the newest task. A task that ends compares its own number with this one.
        var begun = 0
        /// The highest number of a task that has ended.
        var ended = 0
        var isStopped = false
    }

    private let eventLoop: EventLoopExecutor
    private let events: OperationEvents
    private let deliver: @Sendable (OperationEvent) async -> Bool
    private let hand: @Sendable (SharedResponse) -> Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - deliver: sends one event; the subscription ends if it returns false.
    ///   - hand: called on the executor for an event that many subscribers share; returns false if there is no room.
    init(
        _ events: OperationEvents, on eventLoop: EventLoopExecutor,
        deliver: @escaping @Sendable (OperationEvent) async -> Bool,
        hand: @escaping @Sendable (SharedResponse) -> Bool
    ) {
        self.events = events
        self.eventLoop = eventLoop
        self.deliver = deliver
        self.hand = hand
    }

    var executor: any TaskExecutor { eventLoop }

    /// Starts to read. Events that can be read without waiting are delivered before this call returns.
    func start() {
        guard let number = begin() else { return }
        keep(Task.immediate(executorPreference: eventLoop) { await self.read(number) }, number)
    }

    func wake() {
        guard let number = begin() else { return }
        keep(Task(executorPreference: eventLoop) { await self.read(number) }, number)
    }

    func write(_ response: SharedResponse) -> Bool { hand(response) }

    /// Ends the subscription: no event is delivered after this call.
    func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
        events.stop()
    }

    private func begin() -> Int? {
        state.withLock { state in
            if state.isStopped { return nil }
            state.begun += 1
            return state.begun
        }
    }

    /// Keeps the task only while it runs, since a task that has ended still holds its stack.
    private func keep(_ task: Task<Void, Never>, _ number: Int) {
        let isStopped = state.withLock { state in
            if !state.isStopped, state.begun == number, state.ended < number { state.task = task }
            return state.isStopped
        }
        if isStopped { task.cancel() }
    }

    private func read(_ number: Int) async {
        await events.read(self, deliver)
        state.withLock { state in
            state.ended = max(state.ended, number)
            if state.begun == number { state.task = nil }
        }
    }
}
