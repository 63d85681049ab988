import GraphQL
import Logging
import Postgres

/// The log of changes as one server knows it: the newest rows in memory, the others in the database.
public struct ChangeLog: Sendable {
    /// How long changes are kept.
    public static let keptDays: Int32 = 7

    public let hub: ChangeHub
    let pool: Pool
    let subjectKind: SubjectKind

    /// - Parameter pool: of a role that may read the whole log.
    public init(hub: ChangeHub, pool: Pool, subjectKind: @escaping SubjectKind) {
        self.hub = hub
        self.pool = pool
        self.subjectKind = subjectKind
    }

    func rows(after position: ChangePosition, limit: Int64) -> ChangesAfter {
        ChangesAfter(position: position, limit: limit, subjectKind: subjectKind)
    }

    /// A page of the log: from memory while that has one, then from the database, which alone knows what is newer.
    /// - Throws: CURSOR_EXPIRED where the database has another epoch.
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

    /// Changes of counters that were held back when a cursor was given, the newest of each object.
    func heldBack(from first: ChangePosition, through last: ChangePosition) async throws -> [Change] {
        let rows = try await pool.run(ChangesBetween(first: first, last: last, subjectKind: subjectKind))
        return ChangeWindow.heldBack(rows.joined())
    }

    /// - Throws: CURSOR_EXPIRED for a cursor of another history, or of rows that were dropped.
    public func requireKept(_ cursor: ChangeCursor) async throws {
        try await requireReached(cursor)
        try await requireKept(cursor.position)
    }

    /// - Throws: CURSOR_EXPIRED for a cursor of another history, or of what this one never had: it is an older copy.
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

/// Some rows of the log, one after another.
public struct ChangePage: Sendable {
    public let changes: [Change]
    /// Where the next page begins.
    public let end: ChangePosition
    /// The oldest transaction that still ran, and the next that would begin, when the log had no row after these; nil
    /// where it may have one.
    public var snapshot: (running: Int64, next: Int64)?
}

extension [ChangesAfter.Output] {
    /// The database may have lost history that the tail has not noticed yet.
    /// - Throws: CURSOR_EXPIRED.
    func requireEpoch(_ epoch: Int64) throws {
        guard let history = first?.history, history.epoch == epoch, history.isCurrent else {
            throw ExecutionError.cursorExpired
        }
    }
}
