import Postgres

/// A row of the change log.
public struct Change: Sendable {
    public let position: ChangePosition
    /// When its transaction began.
    public let at: Timestamp
    public let object: ObjectID
    /// nil: the object did not exist, or does no more.
    public let before: ChangeState?
    public let after: ChangeState?
    public let isCountersOnly: Bool
    /// The state of the object that an added one stands on, where the row has it.
    public var subject: ChangeState?

    public init(
        position: ChangePosition, at: Timestamp, object: ObjectID, before: ChangeState?, after: ChangeState?,
        isCountersOnly: Bool, subject: ChangeState? = nil
    ) {
        self.position = position
        self.at = at
        self.object = object
        self.before = before
        self.after = after
        self.isCountersOnly = isCountersOnly
        self.subject = subject
    }

    /// The object's newest state that the row tells.
    @inlinable
    public var state: ChangeState? { after ?? before }

    /// Whether the object is now in another status than before.
    @inlinable
    public var changesStatus: Bool {
        guard let before, let after else { return false }
        return before.status != after.status
    }
}

/// The columns of an object by which subscriptions are matched. Which of them an object has, and what they mean, is its
/// feature's to say.
public struct ChangeState: Sendable {
    public var owner: UUID?
    public var status: String?
    public var category: String?
    public var time: Timestamp?
    /// The object that this one stands on or belongs to.
    public var subject: UUID?

    public init(
        owner: UUID? = nil, status: String? = nil, category: String? = nil, time: Timestamp? = nil,
        subject: UUID? = nil
    ) {
        self.owner = owner
        self.status = status
        self.category = category
        self.time = time
        self.subject = subject
    }
}

/// The kind of the object that another stands on, told by its state: the log's row of an added object has the state of
/// its subject, without the kind.
public typealias SubjectKind = @Sendable (ChangeState) -> ObjectKind

extension Change {
    /// The alias `c` is the log.
    public static let columns: StaticString = """
        c.xid, c.id, c.at, c.type, c.object_id, c.counters_only, \
        c.before is distinct from null, (c.before).author_id, (c.before).status, (c.before).category, \
        (c.before).starts_at, (c.before).subject_id, \
        c.after is distinct from null, (c.after).author_id, (c.after).status, (c.after).category, \
        (c.after).starts_at, (c.after).subject_id, \
        c.counted is distinct from null, (c.counted).author_id, (c.counted).status, (c.counted).category, \
        (c.counted).starts_at, (c.counted).subject_id
        """

    /// - Parameter offset: of the first of `columns`.
    public init(row: Row, offset: Int = 0) {
        position = ChangePosition(transaction: row.int64(offset), row: row.int64(offset + 1))
        at = row.timestamp(offset + 2)
        object = ObjectID(ObjectKind(rawValue: row.string(offset + 3)), row.uuid(offset + 4))
        isCountersOnly = row.bool(offset + 5)
        before = ChangeState(row: row, offset: offset + 6)
        after = ChangeState(row: row, offset: offset + 12)
        subject = ChangeState(row: row, offset: offset + 18)
    }

    /// The change of the counters of the subject that an added object stands on, which its row of the log tells, too.
    func countersOfSubject(_ kind: SubjectKind) -> Change? {
        guard let state = subject, let id = after?.subject else { return nil }
        let next = ChangePosition(transaction: position.transaction, row: position.row + 1)
        return Change(
            position: next, at: at, object: ObjectID(kind(state), id), before: state, after: state,
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
    }
}
