/// A closure that is called until this object is cancelled or gone. Where the main actor cancels it or lets it go, the
/// closure is not called any more, whatever is on its way.
public final class Observation: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    convenience init<Value: Sendable>(
        of values: AsyncThrowingStream<Value, any Error>,
        _ changed: @escaping @MainActor @Sendable (Value) -> Void,
        _ failed: @escaping @MainActor @Sendable (any Error) -> Void
    ) {
        self.init(
            Task { @MainActor in
                do {
                    for try await value in values where !Task.isCancelled { changed(value) }
                } catch is CancellationError {} catch {
                    failed(error)
                }
            })
    }

    deinit { task.cancel() }

    public func cancel() { task.cancel() }
}

extension LiveList {
    /// Calls a closure on the main actor with the list now and after each change, as views of UIKit want it.
    ///
    /// - Parameters:
    ///   - changed: called with the list now, and after each change.
    ///   - failed: called at most once, where the store cannot be read; nothing follows it.
    /// - Returns: what keeps the list alive. Keep it as long as the view is shown.
    public nonisolated func onChange(
        _ changed: @escaping @MainActor @Sendable (LiveRows<Row>) -> Void,
        failed: @escaping @MainActor @Sendable (any Error) -> Void = { _ in }
    ) -> Observation {
        Observation(of: values, changed, failed)
    }
}

extension Outbox {
    /// Calls a closure on the main actor with all entries now and after each change of one.
    ///
    /// - Parameters:
    ///   - changed: called with the entries now, and after each change.
    ///   - failed: called at most once, where the store cannot be read; nothing follows it.
    /// - Returns: what keeps the observation alive. Keep it as long as the entries are shown.
    public nonisolated func onChange(
        _ changed: @escaping @MainActor @Sendable ([OutboxEntry]) -> Void,
        failed: @escaping @MainActor @Sendable (any Error) -> Void = { _ in }
    ) -> Observation {
        Observation(of: values, changed, failed)
    }
}

extension Session {
    /// Calls a closure on the main actor with the session's state now and after each change.
    public func onChange(_ changed: @escaping @MainActor @Sendable (State) -> Void) -> Observation {
        let states = states
        return Observation(Task { @MainActor in for await state in states where !Task.isCancelled { changed(state) } })
    }
}
