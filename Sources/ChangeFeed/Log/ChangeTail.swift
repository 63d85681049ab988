import Logging
import Postgres

/// Reads the change log as it grows. Every replica runs a tail. The tail reads the rows that are filed under a transaction
/// only when neither that transaction nor an older one is running. So no row can appear later at a position before a row
/// that was read.
public struct ChangeTail: Sendable {
    static let channel = "tertulia_changes"
    private static let pageSize: Int64 = 1_000
    /// The pause after a read, so that writes that follow each other closely are read together.
    private static let pace = Duration.milliseconds(20)
    /// The time after which the log is read again if nothing wakes the tail.
    private static let slowPoll = Duration.milliseconds(500)
    /// The shorter time after which the log is read again while a transaction still runs.
    private static let quickPoll = Duration.milliseconds(20)

    private let log: ChangeLog
    private let logger: Logger

    public init(_ log: ChangeLog, logger: Logger) {
        self.log = log
        self.logger = logger
    }

    /// The state of the tail in one epoch: the position up to which it has read, and the rows and sessions by which it
    /// notices that history was lost.
    private struct Reading {
        let epoch: Int64
        var position: ChangePosition
        var trail = RecentRows()
        /// The sessions that are known to see the rows of the trail, all of the same run of PostgreSQL. When another
        /// session answers, the trail is first compared with the rows that this session sees.
        var sessions: Set<DatabaseSession>
    }

    /// Reads until the task is cancelled. While the database cannot be reached, subscriptions wait.
    public func run() async {
        var reading: Reading?
        // The epoch that the log had when the tail last began to read it.
        var epoch: Int64?
        var failures = 0
        while !Task.isCancelled {
            do {
                if let last = reading { reading = try await read(last) } else { reading = try await begin(&epoch) }
                failures = 0
            } catch {
                if Task.isCancelled { return }
                if failures == 0, !(error is CancellationError) {
                    logger.warning("the change log cannot be read", metadata: ["error": "\(error)"])
                }
                failures += 1
                try? await Task.sleep(for: .milliseconds(min(1_000, 50 << min(failures, 5))))
            }
        }
    }

    /// Measures the rows that cannot be read until a running transaction ends. It measures at most once a second.
    private func noteBacklog(isHeldUp: Bool) async {
        let hub = log.hub
        guard isHeldUp else { return hub.note((0, 0)) }
        guard hub.isBacklogDue(every: .seconds(1)) else { return }
        // An error here must not repeat the read: its rows are published already.
        if let backlog = try? await log.pool.run(ChangeBacklog()).first { hub.note(backlog) }
    }

    /// Starts reading at the log's end.
    /// - Parameter known: the epoch that the tail last found in the log; nil when the server has just started.
    /// - Returns: nil if a new epoch had to begin.
    private func begin(_ known: inout Int64?) async throws -> Reading? {
        let end = try await log.pool.run(ChangeLogEnd(position: nil))
        guard let first = end.first, let last = end.last else { throw PostgresError.unavailable }
        let epoch = first.history.epoch
        known = known ?? epoch
        guard first.history.isCurrent else {
            try await beginEpoch(after: epoch, "the timeline is another")
            return nil
        }
        let hub = log.hub
        if known != epoch {
            hub.noteLostHistory()
            logger.warning(
                "the database lost history, or is another: every cursor from before has expired",
                metadata: ["subscriptions": "\(hub.statistics.subscriptions)"])
        }
        known = epoch
        let position = last.position ?? last.floor
        hub.begin(epoch: epoch, at: position)
        var reading = Reading(epoch: epoch, position: position, sessions: [first.history.session])
        reading.trail.append(end.lazy.compactMap(\.row))
        return reading
    }

    private func beginEpoch(after epoch: Int64, _ reason: String) async throws {
        let isOurs = try await log.pool.run(BeginChangeLogEpoch(seen: epoch)).first ?? false
        let whose = isOurs ? "this server" : "another"
        logger.warning(
            "a new epoch of the change log begins", metadata: ["reason": "\(reason)", "by": "\(whose)"])
    }

    /// Whether the database still has the rows that were read.
    private func isKept(_ reading: inout Reading, _ history: ChangeLogHistory) async throws -> Bool {
        guard history.epoch == reading.epoch, history.isCurrent else { return false }
        if reading.sessions.contains(history.session) { return true }
        // A new session: PostgreSQL may have been restarted from another state.
        let end = try await log.pool.run(ChangeLogEnd(position: reading.position))
        guard let first = end.first else { throw PostgresError.unavailable }
        guard first.history.session.startedAt == history.session.startedAt else { throw DifferentServers() }
        guard first.history.epoch == reading.epoch else { return false }
        guard reading.trail.isKept(in: end.compactMap(\.row), keptSince: first.keptSince) else {
            try await beginEpoch(after: reading.epoch, "rows that were read are gone")
            return false
        }
        reading.sessions = reading.sessions.filter { $0.startedAt == history.session.startedAt }
        reading.sessions.formUnion([history.session, first.history.session])
        return true
    }

    /// Reads a page and publishes it; after the last page, waits for the next writes.
    /// - Returns: nil if the log has another epoch.
    private func read(_ last: Reading) async throws -> Reading? {
        let hub = log.hub
        let statement = log.rows(after: last.position, limit: Self.pageSize)
        let rows = try await log.pool.run(statement)
        guard let first = rows.first else { throw PostgresError.unavailable }
        var reading = last
        guard try await isKept(&reading, first.history) else { return nil }
        let (position, isWhole) = statement.next(after: rows)
        reading.position = position
        reading.trail.append(rows.lazy.compactMap(\.row))
        hub.publish(rows.changes, frontier: position)
        guard isWhole else { return reading }
        try? await Task.sleep(for: Self.pace)
        await noteBacklog(isHeldUp: first.running < first.next)
        let rest = first.running < first.next ? Self.quickPoll : Self.slowPoll
        _ = await hub.signal.wait(atMost: hub.rest(atMost: rest))
        return reading
    }
}
