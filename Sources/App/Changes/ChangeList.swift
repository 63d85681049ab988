import GraphQL
import Postgres

/// What changed after a cursor, for a client that was offline: as its subscriptions would have sent it.
struct ChangeList: ObjectValue {
    /// Rows of the log that one request looks through.
    private static let scanned = 10_000

    let edges: [Edge]
    let pageInfo: PageInfo

    struct Edge: ObjectValue {
        let event: ChangeEvent<Node>
    }

    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.batch("changes") { _, context in [try await read(context)] }
    }

    private static func read(_ context: FieldContext<RequestContext>) async throws -> ChangeList {
        guard let after = try ChangeCursor.decode(context.arguments.decode("after")) else {
            throw ExecutionError.cursorExpired
        }
        let scopes = try await scopes(context)
        let first = try Page.count(first: context.arguments.decode("first"))
        let context = context.context
        let environment = context.environment
        try await environment.requireKept(after)
        var memberships: Memberships?
        if context.viewer != nil, scopes.contains(where: \.needsMemberships) {
            memberships = try await context.memberships(at: after.position)
        }
        let subscribers = scopes.map {
            ChangeSubscriber(scope: $0, viewer: context.viewer?.userID, memberships: memberships)
        }
        var edges: [Edge] = []
        var position = after.position
        for _ in 0..<(scanned / 1_000) {
            let page = try await environment.changes(after: position, limit: 1_000)
            for change in page.changes {
                let cursor = ChangeCursor(system: after.system, position: change.position)
                let shared = SharedChange(change, cursor: cursor)
                guard let (matched, subscriber) = subscribers.firstMatch(shared) else { continue }
                if edges.count == first {
                    return ChangeList(edges, hasNextPage: true, end: edges.last?.event.cursor ?? after)
                }
                edges.append(
                    Edge(event: ChangeEvent(matched, for: subscriber, isPersonal: true, environment)))
            }
            position = page.end
            if page.isLast {
                return ChangeList(
                    edges, hasNextPage: false, end: ChangeCursor(system: after.system, position: position))
            }
        }
        return ChangeList(edges, hasNextPage: true, end: ChangeCursor(system: after.system, position: position))
    }

    private init(_ edges: [Edge], hasNextPage: Bool, end: ChangeCursor) {
        self.edges = edges
        pageInfo = PageInfo(
            hasNextPage: hasNextPage, hasPreviousPage: false,
            startCursor: (edges.first?.event.cursor).map(PageCursor.change), endCursor: .change(end))
    }

    private static func scopes(_ context: FieldContext<RequestContext>) async throws -> [ChangeScope] {
        let inputs: [ScopeInput] = try context.arguments.decode("scopes")
        guard inputs.count <= Page.maximumCount else {
            throw ExecutionError("scopes can have \(Page.maximumCount) entries at most.", code: .badUserInput)
        }
        var scopes: [ChangeScope] = []
        for input in inputs { scopes.append(try await input.scope(context.context)) }
        return scopes
    }

    static let bindings: [Binding] = [
        ObjectBinding<ChangeList, RequestContext>("ChangeConnection") { list in
            list.field("edges", \.edges)
            list.field("nodes") { list in list.edges.map { Optional($0.event) } }
            list.field("pageInfo", \.pageInfo)
        },
        ObjectBinding<Edge, RequestContext>("ChangeEdge") { edge in
            edge.field("cursor") { $0.event.cursor.text }
            edge.field("node") { Optional($0.event) }
        },
    ]
}

extension [ChangeSubscriber] {
    /// A change that concerns several scopes comes once.
    fileprivate func firstMatch(_ change: SharedChange) -> (MatchedChange, ChangeSubscriber)? {
        var first: (MatchedChange, ChangeSubscriber)?
        // Each has to see it: it may tell who is in a conversation.
        for subscriber in self {
            if let matched = subscriber.match(change), first == nil { first = (matched, subscriber) }
        }
        return first
    }
}
