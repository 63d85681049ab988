import Postgres

/// A row of the change log.
struct Change: Sendable {
    let position: ChangePosition
    /// When its transaction began.
    let at: Timestamp
    let object: TypeID
    /// nil: it did not exist, or no more.
    let before: ChangeState?
    let after: ChangeState?
    let isCountersOnly: Bool
    /// Somebody blocked the object, a person, or unblocked them; `authorID` is who, `subjectID` whom.
    var isBlock = false
    /// The thought or event that an added comment is on; nil for other changes.
    var subject: ChangeSubject?
}

/// A thought or an event, as far as it decides who sees the comments on it.
struct ChangeSubject: Sendable {
    let ownerID: UUID?
    /// Only the owner sees the thought. An event is never a draft.
    var isDraft: Bool
}

/// What subscriptions are matched by. Which of it an object has depends on its type.
struct ChangeState: Sendable {
    let authorID: UUID?
    let status: ChangeStatus?
    let category: String?
    let startsAt: Timestamp?
    /// The thought or event of a comment, the conversation of a message.
    let subjectID: UUID?
}

/// Of a thought; of a person in a conversation.
enum ChangeStatus: Sendable {
    case draft, published, joined, left

    /// - Parameter text: the name in the change log.
    init?(_ text: String?) {
        switch text {
        case "PUBLISHED": self = .published
        case "DRAFT": self = .draft
        case "JOINED": self = .joined
        case "LEFT": self = .left
        default: return nil
        }
    }
}

/// Up to `limit` rows after a position, as far as no transaction that still runs can add one before them.
/// The first row is there always: it tells how far that is, and of which history the log is.
///
/// A row may stand for two changes, of which the second has the next number: the row of the position itself is read
/// again, for what it may have after it.
struct ChangesAfter: Statement {
    let position: ChangePosition
    let limit: Int64

    var sql: SQL {
        """
        select \(unsafe: ChangeLogHistory.columns), pg_snapshot_xmin(s), pg_snapshot_xmax(s), \(unsafe: Self.columns) \
        from change_log_history() h cross join pg_current_snapshot() s \
        left join lateral (select * from change_log c \
        where (c.xid, c.id) > (\(String(position.transaction))::xid8, \(position.row - 1)) \
        and c.xid < pg_snapshot_xmin(pg_current_snapshot()) \
        order by c.xid, c.id limit \(limit)) c on true order by c.xid, c.id
        """
    }

    /// The alias `c` is the log.
    static let columns: StaticString = """
        c.xid, c.id, c.at, c.type, c.object_id, c.counters_only, \
        c.before is distinct from null, (c.before).author_id, (c.before).status, (c.before).category, \
        (c.before).starts_at, (c.before).subject_id, \
        c.after is distinct from null, (c.after).author_id, (c.after).status, (c.after).category, \
        (c.after).starts_at, (c.after).subject_id, \
        c.counted is distinct from null, (c.counted).author_id, (c.counted).status, (c.counted).category, \
        (c.counted).starts_at, (c.counted).subject_id
        """

    /// Where reading goes on after these rows of the statement: behind the last of them, even where the snapshot knows
    /// that older transactions have all ended. What those left no trace of on the disk, PostgreSQL numbers anew after
    /// a crash, and what then has the number would be passed over.
    func next(after rows: [Output]) -> (position: ChangePosition, isWhole: Bool) {
        (max(position, rows.last?.position ?? position), rows.count < Int(limit))
    }

    struct Output: Sendable {
        let history: ChangeLogHistory
        /// The oldest transaction that still runs, and the next that will begin.
        let running: Int64
        let next: Int64
        /// Of the last of its changes; nil where there is no row.
        var position: ChangePosition?
        var row: ChangeTrail.Row?
        /// nil for a type that this server does not know: a newer one wrote it. Also for what lies before the position.
        var change: Change?
        /// Of the object's subject, whose counters it changed.
        var counted: Change?
    }

    func decode(_ row: Row) -> Output {
        let offset = ChangeLogHistory.columnCount
        var output = Output(
            history: ChangeLogHistory(row: row), running: row.int64(offset), next: row.int64(offset + 1))
        let first = offset + 2
        if row.isNull(first) { return output }
        let start = ChangePosition(transaction: row.int64(first), row: row.int64(first + 1))
        let change = Change(row: row, offset: first)
        let counted = change.flatMap { Change(countedWith: $0, row: row, offset: first) }
        output.position = counted?.position ?? start
        output.row = ChangeTrail.Row(position: start, object: row.uuid(first + 4), at: row.timestamp(first + 2))
        if start > position { output.change = change }
        if let counted, counted.position > position { output.counted = counted }
        return output
    }
}

extension [ChangesAfter.Output] {
    var changes: [Change] {
        var changes: [Change] = []
        changes.reserveCapacity(count)
        for row in self {
            if let change = row.change { changes.append(change) }
            if let counted = row.counted { changes.append(counted) }
        }
        return changes
    }
}

/// Rows from one place to another, the newest first: of what was merged into newer ones, the newest may not have been
/// sent yet.
struct ChangesBetween: Statement {
    let first: ChangePosition
    let last: ChangePosition

    var sql: SQL {
        """
        select \(unsafe: ChangesAfter.columns) from change_log c \
        where (c.xid, c.id) > (\(String(first.transaction))::xid8, \(first.row - 2)) \
        and (c.xid, c.id) <= (\(String(last.transaction))::xid8, \(last.row)) \
        order by c.xid desc, c.id desc limit 10000
        """
    }

    func decode(_ row: Row) -> [Change] {
        guard let change = Change(row: row, offset: 0) else { return [] }
        let changes = [Change(countedWith: change, row: row, offset: 0), change]
        return changes.compactMap { $0 }.filter { first <= $0.position && $0.position <= last }
    }
}

extension Change {
    init?(row: Row, offset: Int) {
        let type = row.string(offset + 3)
        isBlock = type == "block"
        guard let kind = isBlock ? .user : TypeID.Kind(rawValue: type) else { return nil }
        position = ChangePosition(transaction: row.int64(offset), row: row.int64(offset + 1))
        at = row.timestamp(offset + 2)
        object = TypeID(kind, row.uuid(offset + 4))
        isCountersOnly = row.bool(offset + 5)
        before = ChangeState(row: row, offset: offset + 6)
        after = ChangeState(row: row, offset: offset + 12)
        if kind == .comment { subject = ChangeState(row: row, offset: offset + 18).map(ChangeSubject.init) }
    }

    /// The change of the counters of what `change` adds to, in the same row of the log.
    fileprivate init?(countedWith change: Change, row: Row, offset: Int) {
        guard let state = ChangeState(row: row, offset: offset + 18), let subject = change.after?.subjectID else {
            return nil
        }
        position = ChangePosition(transaction: change.position.transaction, row: change.position.row + 1)
        at = change.at
        object = TypeID(state.status == nil ? .event : .thought, subject)
        isCountersOnly = true
        before = state
        after = state
    }
}

extension ChangeSubject {
    init(_ state: ChangeState) { self.init(ownerID: state.authorID, isDraft: state.status == .draft) }
}

extension ChangeState {
    fileprivate init?(row: Row, offset: Int) {
        guard row.bool(offset) else { return nil }
        authorID = row.uuid(optional: offset + 1)
        status = ChangeStatus(row.string(optional: offset + 2))
        category = row.string(optional: offset + 3)
        startsAt = row.timestamp(optional: offset + 4)
        subjectID = row.uuid(optional: offset + 5)
    }
}

/// The transaction that will begin next.
struct NextTransaction: Statement {
    var sql: SQL { "select pg_snapshot_xmax(pg_current_snapshot())" }

    func decode(_ row: Row) -> Int64 { row.int64(0) }
}

/// The newest row that was dropped with its partition; nothing before it can be resumed from.
struct ChangeLogFloor: Statement {
    var sql: SQL { "select xid, id from change_log_floor" }

    func decode(_ row: Row) -> ChangePosition { ChangePosition(transaction: row.int64(0), row: row.int64(1)) }
}
