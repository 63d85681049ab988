import ChangeFeed
import GraphQL
import Postgres

/// The changes since a cursor as one list, for a client that was offline. The client's subscriptions would have sent
/// the same changes.
struct ChangeList: ObjectValue {
    /// The maximum number of pages of the log that one request reads, reads at the log's end not counted. A page has at
    /// most 1,000 rows.
    private static let maximumPageCount = 10
    /// The longest time that a request waits for older transactions to end. Rows of newer transactions cannot be read
    /// earlier.
    private static let patience = Duration.seconds(1)

    private(set) var edges: [Edge]
    let pageInfo: PageInfo

    /// The list without the changes for which the viewer gets no event.
    private func forSubscriber(in context: RequestContext) async throws -> ChangeList {
        var list = self
        list.edges = []
        for edge in edges {
            guard let event = try await edge.event.forSubscriber(in: context, with: edge.others) else { continue }
            list.edges.append(Edge(event: event, others: []))
        }
        return list
    }

    struct Edge: ObjectValue {
        let event: ChangeEvent<Node>
        /// The matches of the event's change by further scopes.
        let others: [ScopeMatch]
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
        // The log's rows are read on the primary, so their objects are, too: a standby may not have them yet.
        context.route?.stayOnPrimary()
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
                    // The objects of a bulk visibility change come in one list. If the list has edges already, it ends
                    // before them, and the next list begins with them. If they are more than `first`, no list can have
                    // them: the client gets CURSOR_EXPIRED and reads anew.
                    guard let last = edges.last else {
                        if first == 0 { return ChangeList([], hasNextPage: true, end: after) }
                        throw ExecutionError.cursorExpired
                    }
                    return ChangeList(edges, hasNextPage: true, end: last.event.cursor)
                }
                if !matches.isEmpty, edges.count + matches.count > first {
                    return ChangeList(edges, hasNextPage: true, end: edges.last?.event.cursor ?? after)
                }
                // Only the last of several objects has the cursor of the row: a client that has read fewer of them gets
                // all of them again.
                for (number, object) in matches.enumerated() {
                    let isLast = number == matches.count - 1
                    edges.append(try object.edge(at: isLast ? cursor : cursor.before(change), context))
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
