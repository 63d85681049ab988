import GraphQL
import Postgres

/// What changed after a cursor, for a client that was offline: as its subscriptions would have sent it.
struct ChangeList: ObjectValue {
    /// Pages of 1,000 rows of the log that one request looks through.
    private static let maximumPageCount = 10
    /// How long a request waits for older transactions, which the rows of newer ones stand behind.
    private static let patience = Duration.seconds(1)

    private(set) var edges: [Edge]
    let pageInfo: PageInfo

    /// Without what the viewer is not to hear of.
    private func told(in context: RequestContext) async throws -> ChangeList {
        var list = self
        list.edges = []
        for edge in edges {
            if let event = try await edge.event.told(in: context) { list.edges.append(Edge(event: event)) }
        }
        return list
    }

    struct Edge: ObjectValue {
        let event: ChangeEvent<Node>
    }

    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.batch("changes") { _, context in [try await read(context).told(in: context.context)] }
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
        let subscribers = try await ChangeSubscriber.of(scopes, as: context, at: after.position)
        var edges: [Edge] = []
        var position = after.held?.before ?? after.position
        let deadline = ContinuousClock.now + patience
        var pause = Duration.milliseconds(5)
        // Every write that was acknowledged before the request has an older transaction.
        var newest: Int64?
        var pageCount = 0
        while pageCount < maximumPageCount {
            let page = try await environment.changes(after: position, limit: 1_000, epoch: after.epoch)
            for change in page.changes where change.position > after.position || change.isCountersOnly {
                let cursor =
                    change.position > after.position
                    ? ChangeCursor(epoch: after.epoch, position: change.position) : after.after(held: change)
                let shared = SharedChange(change, cursor: cursor)
                guard let matches = try await subscribers.matches(shared, limit: first, context) else {
                    // What came at once does not fit any more, or into any page.
                    guard let last = edges.last else { throw ExecutionError.cursorExpired }
                    return ChangeList(edges, hasNextPage: true, end: last.event.cursor)
                }
                if !matches.isEmpty, edges.count + matches.count > first {
                    return ChangeList(edges, hasNextPage: true, end: edges.last?.event.cursor ?? after)
                }
                edges += matches.map { matched, subscriber in
                    Edge(event: ChangeEvent(matched, for: subscriber, context))
                }
            }
            position = page.end
            guard let snapshot = page.snapshot else {
                pageCount += 1
                continue
            }
            newest = newest ?? snapshot.next
            let isComplete = newest.map { $0 <= snapshot.running } ?? true
            if isComplete || .now >= deadline {
                return ChangeList(
                    edges, hasNextPage: !isComplete, end: ChangeCursor(epoch: after.epoch, position: position))
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(100))
        }
        return ChangeList(edges, hasNextPage: true, end: ChangeCursor(epoch: after.epoch, position: position))
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

extension ChangeSubscriber {
    /// One a scope, which see the same.
    fileprivate static func of(
        _ scopes: [ChangeScope], as context: RequestContext, at position: ChangePosition
    ) async throws -> [ChangeSubscriber] {
        let viewer = context.viewer?.userID
        let named = try await context.environment.namedObjects(of: scopes, for: viewer, at: position)
        guard let viewer else {
            return zip(scopes, named).map { ChangeSubscriber(scope: $0, viewer: nil, named: $1) }
        }
        let needsMemberships = scopes.contains(where: \.needsMemberships)
        let memberships = needsMemberships ? try await context.memberships(at: position) : nil
        let visibility = try await context.environment.visibility(of: viewer, at: position)
        return zip(scopes, named).map {
            ChangeSubscriber(scope: $0, viewer: viewer, named: $1, memberships: memberships, visibility: visibility)
        }
    }
}

extension [ChangeSubscriber] {
    /// An object that concerns several scopes comes once.
    /// - Returns: nil where there are more than `limit`.
    fileprivate func matches(
        _ change: SharedChange, limit: Int, _ context: RequestContext
    ) async throws -> [(MatchedChange, ChangeSubscriber)]? {
        var matches: [(MatchedChange, ChangeSubscriber)] = []
        var isFound = false
        // Each has to see it: it may tell who is in a conversation, or who is hidden.
        for subscriber in self {
            guard let matched = subscriber.match(change) else { continue }
            guard let turn = matched.turn else {
                if !isFound { matches.append((matched, subscriber)) }
                isFound = true
                continue
            }
            for one in try await subscriber.changes(of: turn, change, context) {
                let isNew = !matches.contains { $0.0.shared.change.object == one.shared.change.object }
                if isNew { matches.append((one, subscriber)) }
            }
        }
        return matches.count > limit ? nil : matches
    }
}
