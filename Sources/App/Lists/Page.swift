import GraphQL
import Postgres

/// The checked arguments of a connection: the number of items, the end to begin at, and the cursors between which they
/// lie.
/// Source: GraphQL Cursor Connections Specification, section 4
struct Page: Sendable {
    static let defaultCount = 20
    static let maximumCount = 100

    let order: Cursor.Order
    let count: Int
    /// True if `last` was given: the list is then read from its end.
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

    /// The number of items that `first` asks for, or the default.
    /// - Throws: BAD_USER_INPUT unless 0 to 100.
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

    /// The number of rows to read. The row after the first `count` shows that another page follows.
    var limit: Int64 { Int64(count) + 1 }

    /// The largest `limit`, as a constant. A generic plan does not know the value of a bound `limit`; an inner `limit
    /// 101` tells the planner that few rows are read.
    static let atMost: StaticString = "limit 101"

    /// The connection of rows in the order in which they were read. Its nodes are in the list's order.
    func list<Node: ListItem>(_ rows: [Node]) -> ListPage<Node> {
        let hasMore = rows.count > count
        let kept = rows.prefix(count)
        return ListPage(
            nodes: isBackward ? kept.reversed() : Array(kept), order: order,
            hasNextPage: isBackward ? before != nil : hasMore,
            hasPreviousPage: isBackward ? hasMore : after != nil)
    }
}

extension Page {
    /// The open bounds of a page's keys. A missing bound is an extreme value, so that the statement's text is the same
    /// with and without it. In the list's order `after` precedes `before`.
    struct Bounds {
        let lower: (key: Int64, id: UUID)
        let upper: (key: Int64, id: UUID)
    }

    var bounds: Bounds {
        let (low, high) = order.isDescending ? (before, after) : (after, before)
        return Bounds(
            lower: low.map { ($0.key, $0.id) } ?? (.min, UUID(high: 0, low: 0)),
            upper: high.map { ($0.key, $0.id) } ?? (.max, UUID(high: .max, low: .max)))
    }
}

/// An item of a connection, with its sort key in each order in which it is listed.
protocol ListItem: FieldOutput {
    func sortKey(in order: Cursor.Order) -> Int64
    /// The key of the item's position; nil if the item does not stand in lists of this order. The default is the sort
    /// key.
    func positionKey(in order: Cursor.Order) -> Int64?
    var sortID: UUID { get }
}

extension ListItem {
    func positionKey(in order: Cursor.Order) -> Int64? { sortKey(in: order) }
}
