import GraphQL
import Postgres

/// The arguments of a connection, checked: how many items, from which end, between which positions.
/// Source: GraphQL Cursor Connections Specification, section 4
struct Page: Sendable {
    static let defaultCount = 20
    static let maximumCount = 100

    let order: Cursor.Order
    let count: Int
    /// `last` was asked for: the list is read from its end.
    let isBackward: Bool
    let after: Cursor?
    let before: Cursor?

    init(_ arguments: InputObject, order: Cursor.Order) throws {
        let first: Int? = try arguments.decode("first")
        let last: Int? = try arguments.decode("last")
        if first != nil && last != nil {
            throw ExecutionError("Give first or last, not both.", code: .badUserInput)
        }
        try Self.check(first, "first")
        try Self.check(last, "last")
        self.order = order
        count = first ?? last ?? Self.defaultCount
        isBackward = last != nil
        after = try Self.cursor("after", arguments, order)
        before = try Self.cursor("before", arguments, order)
    }

    /// - Throws: BAD_USER_INPUT for more than a page can have.
    static func count(first: Int?) throws -> Int {
        try check(first, "first")
        return first ?? defaultCount
    }

    private static func check(_ count: Int?, _ name: String) throws {
        guard let count, !(0...maximumCount).contains(count) else { return }
        throw ExecutionError("\(name) must be between 0 and \(maximumCount).", code: .badUserInput)
    }

    private static func cursor(_ name: String, _ arguments: InputObject, _ order: Cursor.Order) throws -> Cursor? {
        guard let text: String = try arguments.decode(name) else { return nil }
        guard let cursor = Cursor(text, order: order) else {
            throw ExecutionError("\(name) is no cursor of this list.", code: .badUserInput)
        }
        return cursor
    }

    /// One row more than asked for tells whether there is another page.
    var limit: Int64 { Int64(count) + 1 }

    /// The most that `limit` can be. Below a `limit \(limit)`, whose value no generic plan knows, it tells the planner
    /// that few rows are read; execution stops at the first of the two.
    static let atMost: StaticString = "limit 101"

    /// Rows come in the order in which they were read; `nodes` are in the list's order.
    func connection<Node: ListItem>(_ rows: [Node]) -> Connection<Node> {
        let hasMore = rows.count > count
        let kept = rows.prefix(count)
        return Connection(
            nodes: isBackward ? kept.reversed() : Array(kept), order: order,
            hasNextPage: isBackward ? before != nil : hasMore,
            hasPreviousPage: isBackward ? hasMore : after != nil)
    }
}

extension Page {
    /// The keys between which a page lies, as open bounds that need no second text of the statement when they are
    /// absent. In the list's order `after` stands before `before`.
    struct Bounds {
        let lower: (key: Int64, id: UUID)
        let upper: (key: Int64, id: UUID)
    }

    /// For a list that sorts its keys downwards (`isDescending`) or upwards.
    func bounds(isDescending: Bool) -> Bounds {
        let (low, high) = isDescending ? (before, after) : (after, before)
        return Bounds(
            lower: low.map { ($0.key, $0.id) } ?? (.min, UUID(high: 0, low: 0)),
            upper: high.map { ($0.key, $0.id) } ?? (.max, UUID(high: .max, low: .max)))
    }
}

/// What a connection lists: each item knows its place in the orders that it is listed in.
protocol ListItem: FieldOutput {
    func sortKey(in order: Cursor.Order) -> Int64
    var sortID: UUID { get }
}
