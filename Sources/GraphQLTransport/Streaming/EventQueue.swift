import NIOCore
import Synchronization

/// The queue of the responses that wait to be written to a client. Operations add to the queue on any thread; the
/// client connection takes from it as fast as the client reads.
///
/// An operation's only response always fits, because the number of operations bounds such responses. Events and parts
/// have no such bound, so an operation waits for room before each of them, and ends when it waits too long.
final class EventQueue: Sendable {
    private struct State {
        /// The waiting events. Most queues are empty or have one event.
        var events = CircularBuffer<ByteBuffer>(initialCapacity: 1)
        var bytes = 0
        var isClosed = false
        /// The callbacks of added events whose receipt by the client is not proven yet.
        var receipts: [@Sendable () -> Void] = []
        /// True from a call of `reader` until it finds the queue empty.
        var isSignalled = false
        var reader: (@Sendable () -> Void)?
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// The numbers of waits that timed out or were cancelled, and have not returned from `room` yet.
        var ended: Set<Int> = []
        var waitCount = 0
    }

    private let maxCount: Int
    private let maxBytes: Int
    private let stallTimeout: TimeAmount
    private let state = Mutex(State())

    init(_ limits: StreamLimits) {
        maxCount = limits.queuedEvents
        maxBytes = limits.queuedBytes
        stallTimeout = limits.stallTimeout
    }

    var isEmpty: Bool { state.withLock { $0.events.isEmpty } }
    var hasRoom: Bool { state.withLock { $0.isClosed || hasRoom($0) } }
    var count: Int { state.withLock { $0.events.count } }

    /// - Parameter reader: called on the thread that added an event, when the reader is to call `take` until it returns
    ///   nil.
    func attach(_ reader: @escaping @Sendable () -> Void) {
        let hasEvents = state.withLock { state in
            state.reader = reader
            state.isSignalled = !state.events.isEmpty
            return state.isSignalled
        }
        if hasEvents { reader() }
    }

    /// - Parameter onReceipt: the callback for the proof of receipt; `takeReceipts` returns it.
    func append(_ event: ByteBuffer, onReceipt: (@Sendable () -> Void)? = nil) {
        let reader = state.withLock { state -> (@Sendable () -> Void)? in
            if state.isClosed { return nil }
            state.events.append(event)
            if let onReceipt, state.receipts.count < maxCount { state.receipts.append(onReceipt) }
            state.bytes += event.readableBytes
            if state.isSignalled { return nil }
            state.isSignalled = state.reader != nil
            return state.reader
        }
        reader?()
    }

    /// Removes the oldest event. When it returns nil, the queue is empty, and the next event calls the reader.
    func take() -> ByteBuffer? {
        let (event, waiting) = state.withLock { state -> (ByteBuffer?, [CheckedContinuation<Bool, Never>]) in
            guard let event = state.events.popFirst() else {
                state.isSignalled = false
                return (nil, [])
            }
            state.bytes -= event.readableBytes
            guard !state.waiting.isEmpty, hasRoom(state) else { return (event, []) }
            defer { state.waiting.removeAll() }
            return (event, Array(state.waiting.values))
        }
        for continuation in waiting { continuation.resume(returning: true) }
        return event
    }

    /// True while a callback waits for the proof that the client has an event.
    var hasReceipts: Bool { state.withLock { !$0.receipts.isEmpty } }

    /// Takes the callbacks to call once the client has proven that it has all taken events; none while an event is
    /// still in the queue.
    func takeReceipts() -> [@Sendable () -> Void] {
        state.withLock { state in
            guard state.events.isEmpty else { return [] }
            defer { state.receipts = [] }
            return state.receipts
        }
    }

    /// Waits until one more event fits.
    /// - Returns: false where the client did not read within `stallTimeout`, the queue was closed, or the task was
    ///   cancelled.
    func room(on eventLoop: any EventLoop) async -> Bool {
        let wait = state.withLock { state -> Int? in
            if state.isClosed || hasRoom(state) { return nil }
            state.waitCount += 1
            return state.waitCount
        }
        guard let wait else { return state.withLock { !$0.isClosed } }
        let deadline = eventLoop.scheduleTask(in: stallTimeout) { self.endWait(wait) }
        defer {
            deadline.cancel()
            state.withLock { _ = $0.ended.remove(wait) }
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = state.withLock { state -> Bool? in
                    if state.isClosed || state.ended.contains(wait) { return false }
                    if hasRoom(state) { return true }
                    state.waiting[wait] = continuation
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            endWait(wait)
        }
    }

    /// Closes the queue, drops its events and ends all waits for room.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            state.reader = nil
            state.events.removeAll()
            state.receipts.removeAll()
            state.bytes = 0
            defer { state.waiting.removeAll() }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: false) }
    }

    private func hasRoom(_ state: State) -> Bool { state.events.count < maxCount && state.bytes < maxBytes }

    private func endWait(_ wait: Int) {
        let continuation = state.withLock { state in
            state.ended.insert(wait)
            return state.waiting.removeValue(forKey: wait)
        }
        continuation?.resume(returning: false)
    }
}
