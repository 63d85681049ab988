import Synchronization

/// The subscribers that wait for a `pong`, by key. A pong that comes before any subscriber is kept for the first one.
final class Pings: Sendable {
    private struct Waiting {
        var subscribers: [Int: AsyncStream<String>.Continuation] = [:]
        var early = 0
    }

    private struct State {
        var waiting: [String: Waiting] = [:]
        var lastSubscriber = 0
    }

    /// While this many keys are remembered, pongs that come before any subscriber are not kept.
    private static let keyLimit = 1_000
    private let state = Mutex(State())

    func pong(_ key: String) {
        state.withLock { state in
            var waiting = state.waiting[key] ?? Waiting()
            if waiting.subscribers.isEmpty {
                guard state.waiting.count < Self.keyLimit else { return }
                waiting.early += 1
            }
            for subscriber in waiting.subscribers.values { subscriber.yield("pong") }
            state.waiting[key] = waiting
        }
    }

    func subscribe(_ key: String) -> AsyncStream<String> {
        let (events, continuation) = AsyncStream.makeStream(of: String.self)
        let subscriber = state.withLock { state in
            state.lastSubscriber += 1
            for _ in 0..<(state.waiting[key]?.early ?? 0) { continuation.yield("pong") }
            state.waiting[key, default: Waiting()].early = 0
            state.waiting[key]?.subscribers[state.lastSubscriber] = continuation
            return state.lastSubscriber
        }
        continuation.onTermination = { [weak self] _ in self?.unsubscribe(subscriber, from: key) }
        return events
    }

    private func unsubscribe(_ subscriber: Int, from key: String) {
        state.withLock { state in
            state.waiting[key]?.subscribers[subscriber] = nil
            if state.waiting[key]?.subscribers.isEmpty == true { state.waiting[key] = nil }
        }
    }
}
