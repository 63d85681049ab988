import GraphQL
import Postgres

extension Page {
    /// Groups the rows of several parents, which come in the parents' order, into one connection a parent.
    func connections<Item: ListItem>(_ rows: [(parent: Int, item: Item)], parents: Int) -> [Connection<Item>] {
        var connections: [Connection<Item>] = []
        connections.reserveCapacity(parents)
        var next = rows.startIndex
        for parent in 0..<parents {
            var items: [Item] = []
            while next < rows.endIndex, rows[next].parent == parent {
                items.append(rows[next].item)
                next += 1
            }
            connections.append(connection(items))
        }
        return connections
    }
}
