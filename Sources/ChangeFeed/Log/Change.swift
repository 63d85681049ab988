import Postgres

/// A row of the change log.
public struct Change: Sendable {
    public let position: ChangePosition
    /// The transaction that wrote the row, as `TransactionSnapshot` takes it. The row may be filed under the number of a
    /// younger transaction, which wrote the object earlier.
    public let writer: Int64
    /// The time at which the row's transaction began.
    public let at: Timestamp
    public let object: ObjectID
    /// The object's state before the change; nil where the object did not exist.
    public let before: ChangeState?
    public let after: ChangeState?
    public let isCountersOnly: Bool
    /// The state of the object's subject, if the row adds the object and changes its subject's counters; nil otherwise.
    public var subject: ChangeState?

    /// - Parameter writer: the transaction that wrote the row; nil for that of the position.
    public init(
        position: ChangePosition, writer: Int64? = nil, at: Timestamp, object: ObjectID, before: ChangeState?,
        after: ChangeState?, isCountersOnly: Bool, subject: ChangeState? = nil
    ) {
        self.position = position
        self.writer = writer ?? position.transaction
        self.at = at
        self.object = object
        self.before = before
        self.after = after
        self.isCountersOnly = isCountersOnly
        self.subject = subject
    }

    /// The object's state after the change; for a deleted object, its state before the change.
    @inlinable
    public var state: ChangeState? { after ?? before }

    /// Whether the change gave the object another status. False for an object that was added or deleted.
    @inlinable
    public var changesStatus: Bool {
        guard let before, let after else { return false }
        return before.status != after.status
    }
}

/// The attributes of an object by which subscriptions are matched. The object's feature decides which attributes are
/// set and what they mean.
public struct ChangeState: Sendable {
    public var owner: UUID?
    public var status: String?
    public var category: String?
    public var time: Timestamp?
    /// The id of the object that this one belongs to, such as a comment's thought or a message's conversation.
    public var subject: UUID?
    /// The attributes for which there is no column, as a JSON object.
    public var extra: String?

    public init(
        owner: UUID? = nil, status: String? = nil, category: String? = nil, time: Timestamp? = nil,
        subject: UUID? = nil, extra: String? = nil
    ) {
        self.owner = owner
        self.status = status
        self.category = category
        self.time = time
        self.subject = subject
        self.extra = extra
    }
}

/// Returns the kind of a subject, given its state. It is needed because the log's row of an added object has the state
/// of the object's subject without its kind.
public typealias SubjectKind = @Sendable (ChangeState) -> ObjectKind

extension Change {
    /// The columns of a row of the log; the alias `c` is the log. The last one is PostgreSQL's system column `xmin`, the
    /// lower half of the number of the transaction that inserted the row.
    public static let columns: StaticString = """
        c.xid, c.id, c.at, c.type, c.object_id, c.counters_only, \
        c.before is distinct from null, (c.before).owner, (c.before).status, (c.before).category, (c.before).time, \
        (c.before).subject, (c.before).extra::text, \
        c.after is distinct from null, (c.after).owner, (c.after).status, (c.after).category, (c.after).time, \
        (c.after).subject, (c.after).extra::text, \
        c.counted is distinct from null, (c.counted).owner, (c.counted).status, (c.counted).category, \
        (c.counted).time, (c.counted).subject, (c.counted).extra::text, c.xmin::text::bigint
        """

    /// - Parameter offset: the offset of the first of `columns` in the row.
    public init(row: Row, offset: Int = 0) {
        position = ChangePosition(transaction: row.int64(offset), row: row.int64(offset + 1))
        // A row is filed under its writer or a younger transaction. `xmin` is younger if the row was inserted after a
        // savepoint: it is then the number of a subtransaction, which no snapshot lists.
        let age = (position.transaction - row.int64(offset + 27)) & 0xFFFF_FFFF
        writer = position.transaction - (age < 0x8000_0000 ? age : 0)
        at = row.timestamp(offset + 2)
        object = ObjectID(ObjectKind(rawValue: row.string(offset + 3)), row.uuid(offset + 4))
        isCountersOnly = row.bool(offset + 5)
        before = ChangeState(row: row, offset: offset + 6)
        after = ChangeState(row: row, offset: offset + 13)
        subject = ChangeState(row: row, offset: offset + 20)
    }

    /// The change of the subject's counters, which the row of an added object implies; nil for other rows.
    func countersOfSubject(_ kind: SubjectKind) -> Change? {
        guard let state = subject, let id = after?.subject else { return nil }
        let next = ChangePosition(transaction: position.transaction, row: position.row + 1)
        return Change(
            position: next, writer: writer, at: at, object: ObjectID(kind(state), id), before: state, after: state,
            isCountersOnly: true)
    }
}

extension ChangeState {
    fileprivate init?(row: Row, offset: Int) {
        guard row.bool(offset) else { return nil }
        owner = row.uuid(optional: offset + 1)
        status = row.string(optional: offset + 2)
        category = row.string(optional: offset + 3)
        time = row.timestamp(optional: offset + 4)
        subject = row.uuid(optional: offset + 5)
        extra = row.string(optional: offset + 6)
    }
}
