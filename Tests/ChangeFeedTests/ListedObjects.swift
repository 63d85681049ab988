import ChangeFeed
import GraphQL
import Postgres
import Testing

/// A context without values: these tests read no object.
enum NoRequest {}

extension NoRequest: ChangeContext {
    var changeLog: ChangeLog { switch self {} }
    var viewerID: UUID? { switch self {} }
    var clientConnectionID: UInt64? { switch self {} }
    var resumeAfter: String? { switch self {} }

    func executionError(for error: any Error) -> ExecutionError { switch self {} }
}

extension ObjectKind {
    static let poll = ObjectKind(rawValue: "poll")
}

func testUUID(_ low: UInt64) -> UUID { UUID(high: 0x019b_7600_0000_7000, low: 0x8000_0000_0000_0000 | low) }

func poll(_ number: UInt64) -> ObjectID { ObjectID(.poll, testUUID(number)) }

/// A scope of some objects in any state.
struct ListedObjects: ChangeScope {
    typealias Context = NoRequest
    typealias Object = Never

    let ids: Set<ObjectID>

    init(_ numbers: [UInt64] = [1]) { ids = Set(numbers.map(poll)) }

    var topics: [ChangeTopic] { ids.map(ChangeTopic.object) }

    func fold(for viewer: UUID?) -> NoFold { NoFold() }
    func needsLoad(for viewer: UUID?) -> Bool { false }
    static func load(_ scopes: [ListedObjects], _ loader: FoldLoader<NoRequest>) async throws -> [NoFold] { [] }

    func match(_ change: Change, for viewer: UUID?, _ fold: NoFold, _ effect: FoldEffect?) -> ChangeMatch? {
        match(kind(of: change, for: viewer, fold), of: change, fold)
    }

    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: NoFold) -> Bool {
        ids.contains(object)
    }
}

extension Change {
    /// A change of a poll, at the transaction of this number, and at the row of this number unless another one is
    /// given.
    static func of(
        _ poll: UInt64 = 1, at number: Int64, row: Int64? = nil, before: ChangeState? = ChangeState(),
        after: ChangeState? = ChangeState(), counters: Bool = false
    ) -> Change {
        Change(
            position: ChangePosition(transaction: number, row: row ?? number), at: Timestamp(microseconds: 0),
            object: ObjectID(.poll, testUUID(poll)), before: before, after: after, isCountersOnly: counters)
    }
}
