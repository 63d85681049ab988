/// Waits until `condition` holds, and looks at it every few milliseconds.
///
/// The deadline bounds a hang and nothing else: the tests of one run share two cores and one PostgreSQL, and an event
/// can be late by a minute. A look itself is not interrupted. The time limit of a suite that waits is longer, since
/// past it only the limit is reported, and not what never came.
///
/// - Parameter what: says what is waited for. It is read only if that never comes.
/// - Throws: ``NeverHappened`` after the deadline, and where the task is cancelled, as by a test's time limit; errors of
///   `condition`.
public func eventually(
    _ what: @autoclosure () -> String, within time: Duration = .seconds(300), fileID: StaticString = #fileID,
    line: UInt = #line, _ condition: () async throws -> Bool
) async throws {
    try await eventualValue(what(), within: time, fileID: fileID, line: line) { try await condition() ? () : nil }
}

/// Waits as ``eventually(_:within:fileID:line:_:)`` does, until `look` gives a value.
public func eventualValue<Value>(
    _ what: @autoclosure () -> String, within time: Duration = .seconds(300), fileID: StaticString = #fileID,
    line: UInt = #line, _ look: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + time
    do {
        while true {
            if let value = try await look() { return value }
            if .now >= end { throw CancellationError() }
            try await Task.sleep(for: .milliseconds(5))
        }
    } catch is CancellationError {
        throw NeverHappened(description: "\(fileID):\(line): never came: \(what())")
    }
}

/// Runs `operation` under the deadline of ``eventually(_:within:fileID:line:_:)``, after which it is cancelled.
///
/// - Parameter operation: has to end soon after it is cancelled, since its end is awaited.
/// - Throws: ``NeverHappened`` after the deadline, and where the task is cancelled; errors of `operation`.
public func withDeadline<Value: Sendable>(
    _ what: String, within time: Duration = .seconds(300), fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let failure = NeverHappened(description: "\(fileID):\(line): never came: \(what)")
    return try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask {
            do {
                let value = try await operation()
                try Task.checkCancellation()
                return value
            } catch is CancellationError { throw failure }
        }
        group.addTask {
            try? await Task.sleep(for: time)
            throw failure
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw failure }
        return value
    }
}

/// What a test waited for did not come.
public struct NeverHappened: Error, CustomStringConvertible {
    /// Where the test waited, and what for.
    public let description: String
}
