import Postgres

/// Rows of the log in less memory than an array of `Change` takes. A row has only the states that it needs. A state
/// that the row leaves as it was is kept once. The names of kinds, statuses and categories are kept once for all rows.
struct PackedChanges: Sendable {
    /// A row's attributes. `kind` is an index in `kinds`. `before`, `after` and `subject` are indices in `states`, or
    /// -1 for no state.
    private struct Row {
        let at: Timestamp
        let id: UUID
        let kind: Int32
        let before: Int32
        let after: Int32
        let subject: Int32
        let isCountersOnly: Bool
    }

    /// A state's attributes. `status` and `category` are indices in `names`, and `extra` is one in `extras`; -1 stands
    /// for nil.
    private struct State {
        var owner = UUID(high: 0, low: 0)
        var subject = UUID(high: 0, low: 0)
        var time = Timestamp(microseconds: 0)
        var status: Int32 = -1
        var category: Int32 = -1
        var extra: Int32 = -1
        var hasOwner = false
        var hasSubject = false
        var hasTime = false
    }

    private(set) var positions: [ChangePosition] = []
    private var rows: [Row] = []
    private var states: [State] = []
    private var kinds: [ObjectKind] = []
    private var names: [String] = []
    private var extras: [String] = []

    mutating func append(_ change: Change) {
        positions.append(change.position)
        let before = index(of: change.before)
        rows.append(
            Row(
                at: change.at, id: change.object.uuid, kind: Self.index(of: change.object.kind, in: &kinds),
                before: before, after: change.after == change.before ? before : index(of: change.after),
                subject: index(of: change.subject), isCountersOnly: change.isCountersOnly))
    }

    /// Frees the memory that was reserved for further rows.
    mutating func shrink() {
        positions = positions.map { $0 }
        rows = rows.map { $0 }
        states = states.map { $0 }
    }

    func object(at index: Int) -> ObjectID { ObjectID(kinds[Int(rows[index].kind)], rows[index].id) }

    subscript(index: Int) -> Change {
        let row = rows[index]
        return Change(
            position: positions[index], at: row.at, object: object(at: index), before: state(row.before),
            after: state(row.after), isCountersOnly: row.isCountersOnly, subject: state(row.subject))
    }

    private func state(_ index: Int32) -> ChangeState? {
        guard index >= 0 else { return nil }
        let state = states[Int(index)]
        return ChangeState(
            owner: state.hasOwner ? state.owner : nil, status: state.status < 0 ? nil : names[Int(state.status)],
            category: state.category < 0 ? nil : names[Int(state.category)], time: state.hasTime ? state.time : nil,
            subject: state.hasSubject ? state.subject : nil, extra: state.extra < 0 ? nil : extras[Int(state.extra)])
    }

    private mutating func index(of state: ChangeState?) -> Int32 {
        guard let state else { return -1 }
        var packed = State()
        if let owner = state.owner { (packed.owner, packed.hasOwner) = (owner, true) }
        if let subject = state.subject { (packed.subject, packed.hasSubject) = (subject, true) }
        if let time = state.time { (packed.time, packed.hasTime) = (time, true) }
        if let status = state.status { packed.status = Self.index(of: status, in: &names) }
        if let category = state.category { packed.category = Self.index(of: category, in: &names) }
        if let extra = state.extra {
            packed.extra = Int32(extras.count)
            extras.append(extra)
        }
        states.append(packed)
        return Int32(states.count - 1)
    }

    /// There are few different values, so that looking through them is faster than a table.
    private static func index<Value: Equatable>(of value: Value, in values: inout [Value]) -> Int32 {
        if let index = values.firstIndex(of: value) { return Int32(index) }
        values.append(value)
        return Int32(values.count - 1)
    }
}
