/// A closure that is called until this object is cancelled or gone.
public final class Observation: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }

    public func cancel() { task.cancel() }
}

extension LiveList {
    /// Calls a closure on the main actor with the list now and after each change, as views of UIKit want it.
    ///
    /// - Parameters:
    ///   - failed: called at most once, where the store cannot be read; nothing follows it.
    /// - Returns: what keeps the list alive. Keep it as long as the view is shown.
    public nonisolated func onChange(
        _ changed: @escaping @MainActor @Sendable (LiveRows<Row>) -> Void,
        failed: @escaping @MainActor @Sendable (any Error) -> Void = { _ in }
    ) -> Observation {
        let values = values
        return Observation(
            Task {
                do { for try await rows in values { await changed(rows) } } catch is CancellationError {} catch {
                    await failed(error)
                }
            })
    }
}

extension Session {
    /// Calls a closure on the main actor with the session's state now and after each change.
    public func onChange(_ changed: @escaping @MainActor @Sendable (State) -> Void) -> Observation {
        let states = states
        return Observation(Task { for await state in states { await changed(state) } })
    }
}
