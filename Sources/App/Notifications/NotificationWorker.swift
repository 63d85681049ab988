import Postgres

/// The notification worker: turns the rows of the table `outbox` into notifications, in the background. Safe on several
/// replicas at once.
public struct NotificationWorker: Sendable {
    /// The most rows of the outbox that one transaction handles, beside one row about a changed or cancelled event.
    static let batchSize: Int32 = 500
    /// The longest time between two looks at the outbox. A look without a signal finds the rows of a replica that
    /// ended, and rows that an older transaction held up.
    private static let interval: Duration = .seconds(1)
    /// Rows that come within this time are handled together.
    private static let pace: Duration = .milliseconds(50)

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Handles the outbox until the task is cancelled. A failure does not end the loop; while it repeats, it is logged
    /// once a minute.
    public func run() async {
        await environment.worker("notifications", every: Self.interval) { try await write() }.run()
    }

    private func write() async throws -> PeriodicWorker.Next {
        var handled = try await writeBatch()
        if handled == 0 {
            // Rows that an older transaction held up are often visible at the second look.
            try await Task.sleep(for: Self.pace)
            handled = try await writeBatch()
        }
        if handled >= Self.batchSize { return .atOnce }
        try await Task.sleep(for: Self.pace)
        if handled == 0 { _ = await environment.changes.notificationSignal.wait(atMost: Self.interval) }
        return .atOnce
    }

    /// - Returns: the number of rows handled; at least `batchSize` if more of the change log is left. The guests of a
    ///   large event may be left for the next batch.
    private func writeBatch() async throws -> Int32 {
        let handled = try await environment.pools.worker.run(WriteNotifications(batch: Self.batchSize)).first ?? 0
        if handled > 0 { environment.changes.noteWrite() }
        return handled
    }
}

/// Copies new comments from the change log to the outbox, then handles a batch of the outbox. Returns the number of
/// rows handled, or at least `batch` if more of the log is left.
struct WriteNotifications: Statement {
    /// The number of the advisory lock that lets one transaction at a time make notifications.
    static let lock: StaticString = "1852143475"

    let batch: Int32

    var sql: SQL { "select write_notifications(\(batch))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}
