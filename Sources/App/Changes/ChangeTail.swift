import Logging
import Postgres

/// Reads the change log as it grows, on every replica: all rows of a transaction once no older one runs any more, so
/// that none comes late.
public struct ChangeTail: Sendable {
    static let channel = "tertulia_changes"
    private static let pageSize: Int64 = 1_000
    /// Writes that follow each other closely are read together.
    private static let pace = Duration.milliseconds(20)
    /// How often the log is looked at where nothing wakes the tail.
    private static let slowPoll = Duration.milliseconds(500)
    /// The same, while a transaction still runs.
    private static let quickPoll = Duration.milliseconds(20)

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Until the task is cancelled. While the database cannot be reached, subscriptions wait.
    public func run() async {
        var position: ChangePosition?
        var failures = 0
        while !Task.isCancelled {
            do {
                let next: ChangePosition
                if let position, failures == 0 { next = position } else { next = try await begin(at: position) }
                failures = 0
                position = try await read(from: next)
            } catch {
                if Task.isCancelled { return }
                if failures == 0 {
                    environment.logger.warning("the change log cannot be read", metadata: ["error": "\(error)"])
                }
                failures += 1
                try? await Task.sleep(for: .milliseconds(min(1_000, 50 << min(failures, 5))))
            }
        }
    }

    /// Once a second while a transaction still runs that others may have overtaken.
    private func noteBacklog(isHeldUp: Bool) async {
        let hub = environment.changes
        guard isHeldUp else { return hub.note((0, 0)) }
        guard hub.isBacklogDue(every: .seconds(1)) else { return }
        // What was read before is published: a failure must not have it read again.
        if let backlog = try? await environment.pools.worker.run(ChangeBacklog()).first { hub.note(backlog) }
    }

    /// The database may be another after a failure.
    private func begin(at position: ChangePosition?) async throws -> ChangePosition {
        guard let frontier = try await environment.pools.worker.run(ChangeLogFrontier()).first else {
            throw PostgresError.unavailable
        }
        let hub = environment.changes
        if hub.system == frontier.system, let position { return position }
        hub.begin(system: frontier.system, at: frontier.position)
        return frontier.position
    }

    /// One look at the log, and the rest until the next.
    private func read(from position: ChangePosition) async throws -> ChangePosition {
        let hub = environment.changes
        let statement = ChangesAfter(position: position, limit: Self.pageSize)
        let rows = try await environment.pools.worker.run(statement)
        let (frontier, isWhole) = statement.next(after: rows)
        hub.publish(rows.changes, frontier: frontier)
        guard isWhole, let first = rows.first else { return frontier }
        try? await Task.sleep(for: Self.pace)
        await noteBacklog(isHeldUp: first.running < first.next)
        let rest = first.running < first.next ? Self.quickPoll : Self.slowPoll
        _ = await hub.signal.wait(atMost: hub.rest(atMost: rest))
        return frontier
    }
}

/// Tells the other replicas of writes, at most every 20 ms and outside the writes themselves: within them it would
/// take a lock that all of them share. Source: PostgreSQL's async.c, PreCommit_Notify
public struct ChangeNotifier: Sendable {
    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    public func run() async {
        let signal = environment.changes.written
        while !Task.isCancelled {
            guard await signal.wait(atMost: .seconds(60)) else { continue }
            _ = try? await environment.pools.worker.run(Segment(["select pg_notify('tertulia_changes', '')"]))
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// - Returns: what listens until it is stopped.
    public func listen(_ connection: ConnectionConfiguration) -> NotificationListener {
        let hub = environment.changes
        return NotificationListener(
            connection, channels: [ChangeTail.channel], onConnect: { hub.signal.signal() },
            onNotification: { _ in hub.signal.signal() })
    }
}
