import Postgres

/// A stored counter that differs from its rows. A conversation's message numbers differ if they are behind.
public struct DriftedCounter: Sendable, Equatable, CustomStringConvertible {
    public let object: TypeID
    /// The counter's column. For a participant's counter, ` of ` and the participant's `place` follow.
    public let counter: String
    public let stored: Int64
    public let counted: Int64

    public var description: String { "\(object) \(counter): \(stored), counted \(counted)" }

    /// The kinds of objects that have counters, named as the database's functions name them.
    enum Kind: String, Sendable, CaseIterable {
        case thought, event, conversation

        var typeID: TypeID.Kind {
            switch self {
            case .thought: .thought
            case .event: .event
            case .conversation: .conversation
            }
        }
    }

    init(_ row: Row, offset: Int = 0, _ kind: Kind) {
        object = TypeID(kind.typeID, row.uuid(offset))
        counter = row.string(offset + 1)
        stored = row.int64(offset + 2)
        counted = row.int64(offset + 3)
    }
}

/// The objects whose counters seem to differ, among the next `batch` objects of a kind after the id `after`.
struct NextDriftedCounters: Statement {
    struct Output: Sendable {
        let last: UUID
        let objects: Int64
        let suspects: [UUID]
    }

    let kind: DriftedCounter.Kind
    let after: UUID
    let batch: Int32

    /// `counter_drift` reads the counters and the rows that they count in one statement, and so in one snapshot.
    var sql: SQL {
        """
        select n.ids[cardinality(n.ids)], cardinality(n.ids)::bigint, \
        array(select distinct object from counter_drift(\(kind.rawValue), n.ids)) \
        from (select counted_objects(\(kind.rawValue), \(after), \(batch)) as ids offset 0) n where n.ids <> '{}'
        """
    }

    func decode(_ row: Row) -> Output { Output(last: row.uuid(0), objects: row.int64(1), suspects: row.uuids(2)) }
}

/// Recounts one object's counters while no other transaction can write them, and repairs them if asked to.
struct RecountedCounters: Statement {
    let kind: DriftedCounter.Kind
    let id: UUID
    let repairs: Bool

    var sql: SQL {
        "select object, counter, stored, counted from recount(\(kind.rawValue), \(id), \(repairs))"
    }

    func decode(_ row: Row) -> DriftedCounter { DriftedCounter(row, kind) }
}
