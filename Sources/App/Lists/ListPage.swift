import ChangeFeed
import GraphQL
import Postgres

/// A page of a list, as Relay's connection.
/// Source: GraphQL Cursor Connections Specification
struct ListPage<Node: ListItem>: ObjectValue {
    let nodes: [Node]
    let order: Cursor.Order
    let hasNextPage: Bool
    let hasPreviousPage: Bool

    static func empty(_ page: Page) -> ListPage {
        ListPage(nodes: [], order: page.order, hasNextPage: false, hasPreviousPage: false)
    }

    func cursor(of node: Node) -> Cursor {
        Edge(node: node, order: order).cursor
    }

    var edges: [Edge<Node>] { nodes.map { Edge(node: $0, order: order) } }

    var pageInfo: PageInfo {
        PageInfo(
            hasNextPage: hasNextPage, hasPreviousPage: hasPreviousPage,
            startCursor: nodes.first.map { .list(cursor(of: $0)) }, endCursor: nodes.last.map { .list(cursor(of: $0)) })
    }
}

struct Edge<Node: ListItem>: ObjectValue {
    let node: Node
    let order: Cursor.Order

    var cursor: Cursor { Cursor(order: order, key: node.sortKey(in: order), id: node.sortID) }
    var position: ListPosition? { node.position(in: order) }
}

struct PageInfo: ObjectValue {
    let hasNextPage: Bool
    let hasPreviousPage: Bool
    let startCursor: PageCursor?
    let endCursor: PageCursor?
}

/// A cursor of a list, of the change log, or of a search's matches.
enum PageCursor: LeafValue {
    case list(Cursor)
    case change(ChangeCursor)
    case search(SearchCursor)

    func write(to json: inout JSONWriter) {
        switch self {
        case .list(let cursor): cursor.write(to: &json)
        case .change(let cursor): cursor.write(to: &json)
        case .search(let cursor): cursor.write(to: &json)
        }
    }

    static func canRepresent(_ type: NamedType) -> Bool { Cursor.canRepresent(type) }
}

typealias Binding = any TypeBinding<RequestContext>

enum ConnectionBindings {
    static let pageInfo: Binding = ObjectBinding<PageInfo, RequestContext>("PageInfo") { pageInfo in
        pageInfo.field("hasNextPage", \.hasNextPage)
        pageInfo.field("hasPreviousPage", \.hasPreviousPage)
        pageInfo.field("startCursor", \.startCursor)
        pageInfo.field("endCursor", \.endCursor)
    }

    /// The bindings of the connection and edge types whose names begin with `name`. `edge` binds the edge's fields
    /// beyond `cursor`, `position` and `node`.
    static func of<Node: ListItem>(
        _ type: Node.Type, _ name: String,
        edge: (inout ObjectFields<Edge<Node>, RequestContext>) -> Void = { _ in }
    ) -> [Binding] {
        [
            ObjectBinding<ListPage<Node>, RequestContext>("\(name)Connection") { connection in
                connection.field("edges", \.edges)
                connection.field("nodes", \.nodes)
                connection.field("pageInfo", \.pageInfo)
            },
            ObjectBinding<Edge<Node>, RequestContext>("\(name)Edge") { fields in
                fields.field("cursor", \.cursor)
                fields.field("position", \.position)
                fields.field("node", \.node)
                edge(&fields)
            },
        ]
    }
}
