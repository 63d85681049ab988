/// Waits until `condition` holds, and looks at it every few milliseconds.
///
/// The deadline bounds a hang and nothing else. It needs both a minute and a number of looks, because on a busy machine
/// the looks come late, as what they wait for does.
///
/// - Parameter what: says what is waited for, and is read when it did not come.
/// - Throws: ``NeverHappened``, also where the task is cancelled meanwhile, as by a test's time limit.
public func eventually(
    _ what: @autoclosure () -> String, within time: Duration = .seconds(60), looks: Int = 500,
    fileID: StaticString = #fileID, line: UInt = #line, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + time
    var looked = 1
    while try await !condition() {
        do {
            if looked >= looks, .now >= end { throw CancellationError() }
            try await Task.sleep(for: .milliseconds(5))
        } catch {
            throw NeverHappened(description: "\(fileID):\(line): never came, in \(looked) looks: \(what())")
        }
        looked += 1
    }
}

/// What a test waited for did not come.
public struct NeverHappened: Error, CustomStringConvertible {
    /// Where it was waited for, and what it is.
    public let description: String
}
