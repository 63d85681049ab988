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

    /// A page of the log: from memory while the window has rows after the position, then from the database. Only the
    /// database can tell that no newer row is left.
    /// - Throws: CURSOR_EXPIRED if the database has another epoch.
    public func page(after position: ChangePosition, limit: Int, epoch: Int64) async throws -> ChangePage {
        if let page = hub.changes(after: position, limit: limit), !page.changes.isEmpty { return page }
        let statement = rows(after: position, limit: Int64(limit))
        let rows = try await pool.run(statement)
        try rows.requireEpoch(epoch)
        let (end, isWhole) = statement.next(after: rows)
        var page = ChangePage(changes: rows.changes, end: end)
        if isWhole, let first = rows.first { page.snapshot = (first.running, first.next) }
        return page
    }

    /// The counter changes between two positions that conflation may have held back: the newest of each object, the
    /// oldest first.
    func heldBack(from first: ChangePosition, through last: ChangePosition) async throws -> [Change] {
        let rows = try await pool.run(ChangesBetween(first: first, last: last, subjectKind: subjectKind))
        return ChangeWindow.heldBack(rows.joined())
    }

    /// - Throws: CURSOR_EXPIRED for a cursor of another epoch, and for one whose next rows were dropped.
    public func requireKept(_ cursor: ChangeCursor) async throws {
        try await requireReached(cursor)
        try await requireKept(cursor.position)
    }

    /// - Throws: CURSOR_EXPIRED for a cursor of another epoch, and for a position beyond the newest transaction: the
    ///   database is an older copy of the one that gave the cursor.
    func requireReached(_ cursor: ChangeCursor) async throws {
        guard let frontier = hub.cursor else { throw PostgresError.unavailable }
        guard frontier.epoch == cursor.epoch else { throw ExecutionError.cursorExpired }
        if cursor.position <= frontier.position { return }
        // Another replica may have read further.
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
    /// The oldest transaction that still ran and the transaction that would begin next, from the snapshot that found no
    /// further rows; nil where the log may have rows after these.
    public var snapshot: (running: Int64, next: Int64)?
}

extension [ChangesAfter.Output] {
    /// Checks the epoch of a read, because the database may have lost history that the tail has not noticed yet.
    /// - Throws: CURSOR_EXPIRED for another epoch.
    func requireEpoch(_ epoch: Int64) throws {
        guard let history = first?.history, history.epoch == epoch, history.isCurrent else {
            throw ExecutionError.cursorExpired
        }
    }
}
