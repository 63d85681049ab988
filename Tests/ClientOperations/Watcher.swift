import TestSupport

/// Reads a sequence from its creation on, as an app's view does, and keeps the values.
public actor Watcher<Value: Sendable> {
    public private(set) var seen: [Value] = []
    /// The error that ended the sequence; nil where there was none.
    private var failure: (any Error)?
    private var task: Task<Void, Never>?
    private var taken = 0

    public init<Values: AsyncSequence & Sendable>(_ values: Values) async where Values.Element == Value {
        task = Task { [weak self] in
            do { for try await value in values { await self?.add(value) } } catch { await self?.fail(error) }
        }
    }

    deinit { task?.cancel() }

    private func add(_ value: Value) { seen.append(value) }

    private func fail(_ error: any Error) { failure = error }

    public func stop() { task?.cancel() }

    /// Waits until `matches` holds for the newest value.
    /// - Throws: `NeverHappened`.
    @discardableResult
    public nonisolated func value(
        fileID: StaticString = #fileID, line: UInt = #line, where matches: @Sendable (Value) -> Bool
    ) async throws -> Value {
        var history = History()
        return try await eventualValue("a value of this kind; \(history)", fileID: fileID, line: line) {
            history = await self.history
            return await seen.last.flatMap { matches($0) ? $0 : nil }
        }
    }

    /// Waits for the value after the one that the last call returned.
    /// - Throws: `NeverHappened`.
    public nonisolated func next(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Value {
        var history = History()
        return try await eventualValue("another value; \(history)", fileID: fileID, line: line) {
            history = await self.history
            return await take()
        }
    }

    private func take() -> Value? {
        guard taken < seen.count else { return nil }
        taken += 1
        return seen[taken - 1]
    }

    private var history: History { History(count: seen.count, last: seen.last, failure: failure) }

    /// The values so far and the error, for the message of a wait that fails.
    private struct History: CustomStringConvertible {
        var count = 0
        var last: Value?
        var failure: (any Error)?

        var description: String {
            let newest = last.map { ", the last was \($0)" } ?? ""
            return "\(count) came\(newest)\(failure.map { ", then failed: \($0)" } ?? "")"
        }
    }
}
