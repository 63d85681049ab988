import ChangeFeed
import GraphQL
import Postgres

/// The changes since a cursor as one list, for a client that was offline. The client's subscriptions would have sent
/// the same changes.
struct ChangeList: ObjectValue {
    /// The maximum number of pages of the log that one request reads. A page has at most 1,000 rows.
    private static let maximumPageCount = 10
    /// The time that a request waits for older transactions to end. Rows of newer transactions cannot be read before
    /// that.
    private static let patience = Duration.seconds(1)

    private(set) var edges: [Edge]
    let pageInfo: PageInfo

    /// The list without the changes for which the viewer gets no event.
    private func forSubscriber(in context: RequestContext) async throws -> ChangeList {
        var list = self
        list.edges = []
        for edge in edges {
            if let event = try await edge.event.forSubscriber(in: context) { list.edges.append(Edge(event: event)) }
        }
        return list
    }

    struct Edge: ObjectValue {
        let event: ChangeEvent<Node>
    }

    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.batch("changes") { _, context in [try await read(context).forSubscriber(in: context.context)] }
    }

    private static func read(_ context: FieldContext<RequestContext>) async throws -> ChangeList {
        guard let after = try ChangeCursor.decode(context.arguments.decode("after")) else {
            throw ExecutionError.cursorExpired
        }
        let scopes = try await scopes(context)
        let first = try Page.count(first: context.arguments.decode("first"))
        let context = context.context
        try await context.changeLog.requireKept(after)
        let subscribers = try await context.subscribers(to: scopes, at: after.position)
        var edges: [Edge] = []
        var position = after.held?.before ?? after.position
        let deadline = ContinuousClock.now + patience
        var pause = Duration.milliseconds(5)
        // The transaction that was to begin next when the end of the log was first reached. Every write that was
        // acknowledged before the request has an older transaction.
        var newest: Int64?
        var pageCount = 0
        while pageCount < maximumPageCount {
            let page = try await context.changeLog.page(after: position, limit: 1_000, epoch: after.epoch)
            for change in page.changes where change.position > after.position || change.isCountersOnly {
                let cursor =
                    change.position > after.position
                    ? ChangeCursor(epoch: after.epoch, position: change.position) : after.after(held: change)
                let shared = SharedChange(change, cursor: cursor)
                guard let matches = try await subscribers.matches(shared, limit: first, context) else {
                    // The objects of a bulk visibility change come on one page. If they do not fit behind the edges,
                    // the page ends before them; if they do not fit any page, the cursor has expired.
                    guard let last = edges.last else { throw ExecutionError.cursorExpired }
                    return ChangeList(edges, hasNextPage: true, end: last.event.cursor)
                }
                if !matches.isEmpty, edges.count + matches.count > first {
                    return ChangeList(edges, hasNextPage: true, end: edges.last?.event.cursor ?? after)
                }
                edges += try matches.map { matched, subscriber in
                    Edge(event: try ChangeEvent(matched, for: subscriber, context))
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

    private static func scopes(
        _ context: FieldContext<RequestContext>
    ) async throws -> [any ChangeScope<RequestContext, Node>] {
        let inputs: [ScopeInput] = try context.arguments.decode("scopes")
        guard inputs.count <= Page.maximumCount else {
            throw ExecutionError("scopes can have \(Page.maximumCount) entries at most.", code: .badUserInput)
        }
        var scopes: [any ChangeScope<RequestContext, Node>] = []
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

extension RequestContext {
    /// One subscriber for each scope, all with folds of the same position.
    fileprivate func subscribers(
        to scopes: [any ChangeScope<RequestContext, Node>], at position: ChangePosition
    ) async throws -> [any ChangeSubscription<RequestContext, Node>] {
        let loader = FoldLoader(self, at: position)
        var subscribers: [any ChangeSubscription<RequestContext, Node>] = []
        var types: Set<ObjectIdentifier> = []
        for scope in scopes where types.insert(ObjectIdentifier(type(of: scope))).inserted {
            subscribers += try await self.subscribers(like: scope, of: scopes, loader)
        }
        return subscribers
    }

    /// The subscribers of the scopes of one type, whose folds are loaded together.
    private func subscribers<Scope: ChangeScope<RequestContext, Node>>(
        like first: Scope, of scopes: [any ChangeScope<RequestContext, Node>], _ loader: FoldLoader<RequestContext>
    ) async throws -> [any ChangeSubscription<RequestContext, Node>] {
        let scopes = scopes.compactMap { $0 as? Scope }
        let needLoad = scopes.contains { $0.needsLoad(for: viewerID) }
        let folds = needLoad ? try await Scope.load(scopes, loader) : scopes.map { $0.fold(for: viewerID) }
        return zip(scopes, folds).map { ChangeSubscriber(scope: $0, viewer: viewerID, fold: $1) }
    }
}

extension [any ChangeSubscription<RequestContext, Node>] {
    /// The matches of a change. An object that concerns several scopes is matched once.
    /// - Returns: nil if there are more than `limit`.
    fileprivate func matches(
        _ change: SharedChange, limit: Int, _ context: RequestContext
    ) async throws -> [(MatchedChange, any ChangeSubscription<RequestContext, Node>)]? {
        var matches: [(MatchedChange, any ChangeSubscription<RequestContext, Node>)] = []
        var isFound = false
        // Every subscriber has to apply the change to its fold, even if another one has matched it.
        for subscriber in self {
            guard let matched = subscriber.match(change) else { continue }
            guard let bulk = matched.bulk else {
                if !isFound { matches.append((matched, subscriber)) }
                isFound = true
                continue
            }
            for one in try await subscriber.changes(of: bulk, change, context) {
                let isNew = !matches.contains { $0.0.shared.change.object == one.shared.change.object }
                if isNew { matches.append((one, subscriber)) }
            }
        }
        return matches.count > limit ? nil : matches
    }
}
