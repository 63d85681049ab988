import Postgres

/// The notification worker: turns the rows of the outbox `news` into notifications, in the background. Safe on several
/// replicas at once.
public struct NotificationWorker: Sendable {
    /// The most rows of the outbox that one transaction handles.
    static let batchSize: Int32 = 500
    /// The longest time between two looks at the outbox. A look without a signal finds the rows of a replica that
    /// ended, and rows that an older transaction held up.
    private static let interval: Duration = .seconds(1)
    /// Rows that come within this time are handled together.
    private static let pace: Duration = .milliseconds(50)

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Handles the outbox until the task is cancelled. A failure is logged once and does not end the loop.
    public func run() async {
        await environment.worker("notifications", every: Self.interval) { try await tell() }.run()
    }

    private func tell() async throws -> PeriodicWorker.Next {
        var told = try await tellBatch()
        if told == 0 {
            // Rows that an older transaction held up are often visible at the second look.
            try await Task.sleep(for: Self.pace)
            told = try await tellBatch()
        }
        if told >= Self.batchSize { return .atOnce }
        try await Task.sleep(for: Self.pace)
        if told == 0 { _ = await environment.changes.notificationSignal.wait(atMost: Self.interval) }
        return .atOnce
    }

    /// - Returns: the number of rows handled. The guests of a large event may be left for the next batch.
    private func tellBatch() async throws -> Int32 {
        let told = try await environment.pools.worker.run(WriteNotifications(batch: Self.batchSize)).first ?? 0
        if told > 0 { environment.changes.noteWrite() }
        return told
    }
}

/// Handles a batch of the outbox.
/// - Returns: the number of rows handled.
struct WriteNotifications: Statement {
    let batch: Int32

    var sql: SQL { "select tell_news(\(batch))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}
