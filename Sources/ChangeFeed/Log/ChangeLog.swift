import GraphQL
import Logging
import Postgres

/// The change log as one server reads it: the newest rows from memory, older rows from the database.
public struct ChangeLog: Sendable {
    /// The days for which rows are kept.
    public static let keptDays: Int32 = 7

    public let hub: ChangeHub
    let pool: Pool
    let subjectKind: SubjectKind

    /// - Parameter pool: connections of a role that may read the whole log.
    public init(hub: ChangeHub, pool: Pool, subjectKind: @escaping SubjectKind) {
        self.hub = hub
        self.pool = pool
        self.subjectKind = subjectKind
    }

    func rows(after position: ChangePosition, limit: Int64) -> ChangesAfter {
        ChangesAfter(position: position, limit: limit, subjectKind: subjectKind)
    }

    /// A page of the log: from memory if the window reaches back to the position and has newer rows, otherwise from the
    /// database. Only the database can tell that no newer row is left.
    /// - Throws: CURSOR_EXPIRED if the database has another epoch, or if the epoch began on another timeline.
    public func page(after position: ChangePosition, limit: Int, epoch: Int64) async throws -> ChangePage {
        if let page = hub.changes(after: position, limit: limit, epoch: epoch), !page.changes.isEmpty { return page }
        let statement = rows(after: position, limit: Int64(limit))
        let rows = try await pool.read(statement, durableAfter: position)
        try rows.requireEpoch(epoch)
        let (end, isWhole) = statement.next(after: rows)
        var page = ChangePage(changes: rows.changes, end: end)
        if isWhole, let first = rows.first { page.snapshot = (first.running, first.next) }
        return page
    }

    /// The newest change of each object between two positions, both included, if that change is of counters only.
    /// Conflation may have held these changes back. They are in the order of the log. Only the newest 10,000 rows are
    /// read.
    func heldBack(from first: ChangePosition, through last: ChangePosition) async throws -> [Change] {
        let rows = try await pool.run(ChangesBetween(first: first, last: last, subjectKind: subjectKind))
        return ChangeWindow.heldBack(rows.joined())
    }

    /// - Throws: CURSOR_EXPIRED for a cursor of another epoch, for a cursor whose next rows were dropped, and for a
    ///   position that the database has not reached. `PostgresError.unavailable` before the tail has read the log for
    ///   the first time.
    public func requireKept(_ cursor: ChangeCursor) async throws {
        try await requireReached(cursor)
        try await requireKept(cursor.position)
    }

    /// - Throws: CURSOR_EXPIRED for a cursor of another epoch, and for a position beyond the newest transaction that
    ///   has ended. Such a position shows that the database is an older copy of the one that gave the cursor.
    ///   `PostgresError.unavailable` before the tail has read the log for the first time.
    func requireReached(_ cursor: ChangeCursor) async throws {
        guard let frontier = hub.cursor else { throw PostgresError.unavailable }
        guard frontier.epoch == cursor.epoch else { throw ExecutionError.cursorExpired }
        if cursor.position <= frontier.position { return }
        // The cursor may come from another replica, whose tail has read further than this one's.
        if let next = try await pool.run(NextTransaction()).first, next <= cursor.position.transaction {
            throw ExecutionError.cursorExpired
        }
    }

    func requireKept(_ position: ChangePosition) async throws {
        if let floor = try await pool.run(ChangeLogFloor()).first, position < floor {
            throw ExecutionError.cursorExpired
        }
    }
}

/// Consecutive rows of the log.
public struct ChangePage: Sendable {
    public let changes: [Change]
    /// The position after which the next page begins.
    public let end: ChangePosition
    /// `ChangesAfter.Output.running` and `next` of the snapshot that found no further rows; nil where the log may have
    /// rows after these.
    public var snapshot: (running: Int64, next: Int64)?
}

extension [ChangesAfter.Output] {
    /// Checks the epoch of a read, because the database may have lost history, and the tail may not have noticed yet.
    /// - Throws: CURSOR_EXPIRED for another epoch, and for an epoch that began on another timeline.
    func requireEpoch(_ epoch: Int64) throws {
        guard let history = first?.history, history.epoch == epoch, history.isCurrent else {
            throw ExecutionError.cursorExpired
        }
    }
}
