import GraphQL
import Postgres

extension Page {
    /// Groups the rows of several parents, which come in the parents' order, into one list a parent. The rows of a
    /// parent may come in any order.
    func lists<Item: ListItem>(_ rows: [(parent: Int, item: Item)], parents: Int) -> [ListPage<Item>] {
        var lists: [ListPage<Item>] = []
        lists.reserveCapacity(parents)
        var next = rows.startIndex
        for parent in 0..<parents {
            var items: [Item] = []
            while next < rows.endIndex, rows[next].parent == parent {
                items.append(rows[next].item)
                next += 1
            }
            lists.append(list(inReadingOrder(items)))
        }
        return lists
    }

    /// The items in the order in which the statement reads a page: for `last`, the reverse of the list's order.
    private func inReadingOrder<Item: ListItem>(_ items: [Item]) -> [Item] {
        let isDescending = order.isDescending != isBackward
        func precedes(_ first: Item, _ second: Item) -> Bool {
            let (a, b) = isDescending ? (second, first) : (first, second)
            return (a.sortKey(in: order), a.sortID) < (b.sortKey(in: order), b.sortID)
        }
        let isSorted = !zip(items, items.dropFirst()).contains { precedes($1, $0) }
        return isSorted ? items : items.sorted(by: precedes)
    }
}
