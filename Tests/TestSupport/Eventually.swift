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
    let end = ContinuousClock.now + time
    do {
        while try await !condition() {
            if .now >= end { throw CancellationError() }
            try await Task.sleep(for: .milliseconds(5))
        }
    } catch is CancellationError {
        throw NeverHappened(description: "\(fileID):\(line): never came: \(what())")
    }
}

/// What a test waited for did not come.
public struct NeverHappened: Error, CustomStringConvertible {
    /// Where the test waited, and what for.
    public let description: String
}
