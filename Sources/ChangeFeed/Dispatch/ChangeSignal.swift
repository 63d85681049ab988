import Synchronization

/// Wakes one waiting task. Several signals before the task waits count as one.
public final class ChangeSignal: Sendable {
    private struct State {
        var isSignalled = false
        var waiting: CheckedContinuation<Bool, Never>?
        var wait = 0
    }

    private let state = Mutex(State())

    public init() {}

    public func signal() {
        let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let waiting = state.waiting else {
                state.isSignalled = true
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: true)
    }

    /// - Returns: true where the signal came; false if the time is over or the task was cancelled.
    public func wait(atMost duration: Duration) async -> Bool {
        let wait = state.withLock { state -> Int? in
            if state.isSignalled {
                state.isSignalled = false
                return nil
            }
            state.wait += 1
            return state.wait
        }
        guard let wait else { return true }
        let clock = Task {
            try? await Task.sleep(for: duration)
            end(wait)
        }
        defer { clock.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state -> Bool? in
                    if state.isSignalled {
                        state.isSignalled = false
                        return true
                    }
                    if state.wait != wait || Task.isCancelled { return false }
                    state.waiting = continuation
                    return nil
                }
                if let isOver { continuation.resume(returning: isOver) }
            }
        } onCancel: {
            end(wait)
        }
    }

    private func end(_ wait: Int) {
        let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.wait == wait else { return nil }
            state.wait += 1
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: false)
    }
}
