import GraphQL
import Postgres

/// An object that a search found.
enum SearchResult: AbstractValue {
    case thought(Thought)
    case event(Event)
    case user(User)

    init?(_ node: Node?) {
        if let thought = node.flatMap(Thought.init(node:)) {
            self = .thought(thought)
        } else if let event = node.flatMap(Event.init(node:)) {
            self = .event(event)
        } else if let user = node.flatMap(User.init(node:)) {
            self = .user(user)
        } else {
            return nil
        }
    }
}

enum SearchBindings {
    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.load("search") { _, context -> Pending<[SearchConnection]> in
            let matches = try SearchMatches(context.arguments)
            if matches.kinds.isEmpty { return Pending([SearchConnection([], matches)]) }
            let context = context.context
            let found = context.start(matches)
            return Pending {
                var rows = try await found.value
                var wider = matches.widened(found: rows.count)
                while let search = wider {
                    rows = try await context.start(search).value
                    wider = search.widened(found: rows.count)
                }
                rows = Array(rows.prefix(matches.count + 1))
                let nodes = try await context.nodes(rows.map(\.id)).value()
                let edges = zip(rows, nodes).map { SearchEdge(node: SearchResult($1), cursor: $0.cursor) }
                return [SearchConnection(edges, matches)]
            }
        }
    }

    static let types: [Binding] = [
        UnionBinding<SearchResult, RequestContext>("SearchResult") { result in
            result.member("Thought") { if case .thought(let thought) = $0 { thought } else { nil } }
            result.member("Event") { if case .event(let event) = $0 { event } else { nil } }
            result.member("User") { if case .user(let user) = $0 { user } else { nil } }
        },
        ObjectBinding<SearchConnection, RequestContext>("SearchConnection") { connection in
            connection.field("edges", \.edges)
            connection.field("nodes") { $0.edges.map(\.node) }
            connection.field("pageInfo", \.pageInfo)
        },
        ObjectBinding<SearchEdge, RequestContext>("SearchEdge") { edge in
            edge.field("cursor", \.cursor)
            edge.field("node", \.node)
        },
    ]
}

struct SearchConnection: ObjectValue {
    let edges: [SearchEdge]
    let pageInfo: PageInfo

    /// - Parameter found: one match more than asked for if there is another page.
    init(_ found: [SearchEdge], _ matches: SearchMatches) {
        edges = Array(found.prefix(matches.count))
        pageInfo = PageInfo(
            hasNextPage: found.count > matches.count, hasPreviousPage: matches.after != nil,
            startCursor: (edges.first?.cursor).map(PageCursor.search),
            endCursor: (edges.last?.cursor).map(PageCursor.search))
    }
}

struct SearchEdge: ObjectValue {
    /// nil if the object was deleted after it was matched.
    let node: SearchResult?
    let cursor: SearchCursor
}
