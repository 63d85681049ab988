import GraphQL
import Postgres

extension Page {
    /// Groups the rows of several parents, which come in the parents' order, into one list a parent.
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
            lists.append(list(items))
        }
        return lists
    }
}
