import GraphQL
import Postgres
import Testing

@testable import App

/// `Page.lists`.
@Suite struct PerParentTests {
    private struct Item: ListItem, Equatable {
        let key: Int64
        let id: UInt64

        var sortID: UUID { UUID(high: 0, low: id) }
        func sortKey(in order: Cursor.Order) -> Int64 { key }

        static var outputShape: OutputShape { User.outputShape }
        static func completeOutput(_ values: [Item]) -> CompletedColumn { User.completeOutput([]) }
        func writeOutput(to json: inout JSONWriter) { json.writeNull() }
    }

    private let items = [Item(key: 1, id: 9), Item(key: 2, id: 3), Item(key: 2, id: 4)]

    /// PostgreSQL keeps the order of a parent's rows only where it joins by nested loops.
    @Test(arguments: [[0, 1, 2], [2, 0, 1], [1, 0, 2], [2, 1, 0]])
    func rowsOfAParentComeInAnyOrder(_ order: [Int]) throws {
        let rows = order.map { (parent: 1, item: items[$0]) } + [(parent: 2, item: items[0])]
        let oldest = try Page(InputObject(), order: .oldest).lists(rows, parents: 3)
        #expect(oldest.map(\.nodes) == [[], items, [items[0]]])
        let newest = try Page(InputObject(), order: .created).lists(rows, parents: 3)
        #expect(newest.map(\.nodes) == [[], items.reversed(), [items[0]]])
    }

    /// The rows of a page that is read from its end come in the opposite order.
    @Test func lastItemsComeInTheOrderOfTheList() throws {
        let rows = [2, 1, 0].map { (parent: 0, item: items[$0]) }
        let last = try Page(InputObject([(name: "last", value: .int(2))]), order: .oldest).lists(rows, parents: 1)
        #expect(last[0].nodes == [items[1], items[2]])
        #expect(last[0].hasPreviousPage)
    }
}
