import Foundation
import TertuliaClient

/// Reads a sequence as an app's view does, all the while, and remembers what came.
public actor Watcher<Value: Sendable> {
    public private(set) var seen: [Value] = []
    private var task: Task<Void, Never>?

    public init(_ values: AsyncThrowingStream<Value, any Error>) async {
        task = Task { [weak self] in
            do { for try await value in values { await self?.add(value) } } catch {}
        }
    }

    deinit { task?.cancel() }

    private func add(_ value: Value) { seen.append(value) }

    public func stop() { task?.cancel() }

    /// Waits until the newest value is of a kind.
    @discardableResult
    public func value(where matches: @Sendable (Value) -> Bool) async throws -> Value {
        while true {
            if let last = seen.last, matches(last) { return last }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
