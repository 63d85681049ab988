import ChangeFeed
import GraphQL
import Postgres

/// The changes of the feed's items that fulfil a filter.
struct FeedChanges: LiveScope {
    let filter: FeedFilter

    var topics: [ChangeTopic] {
        (filter.includesThoughts ? [.kind(.thought)] : []) + (filter.includesEvents ? [.kind(.event)] : [])
    }

    func fold(for viewer: UUID?) -> Blocks { Blocks(unknownOf: viewer) }
    func needsLoad(for viewer: UUID?) -> Bool { viewer != nil }

    static func load(_ scopes: [FeedChanges], _ loader: FoldLoader<RequestContext>) async throws -> [Blocks] {
        let blocks = try await loader.load(Blocks.self)
        return scopes.map { _ in blocks }
    }

    func match(_ change: Change, for viewer: UUID?, _ fold: Blocks, _ effect: FoldEffect?) -> ChangeMatch? {
        if change.object.kind == .block { return .person(effect) }
        return match(kind(of: change, for: viewer, fold), of: change, fold)
    }

    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: Blocks) -> Bool {
        if let author = filter.thoughts.authorID, author != state.owner { return false }
        switch object.kind {
        case .thought:
            guard filter.includesThoughts, state.status == ThoughtStatus.published.rawValue else { return false }
            guard let categories = filter.thoughts.categories else { return true }
            return state.category.map(categories.contains) ?? false
        case .event: return filter.includesEvents
        default: return false
        }
    }

    func includes(_ node: Node) -> Bool {
        guard let thought = Thought(node: node) else {
            return filter.thoughts.authorID.map { Event(node: node)?.authorID == $0 } ?? true
        }
        if let author = filter.thoughts.authorID, author != thought.authorID { return false }
        return String(thought.status) == ThoughtStatus.published.rawValue
            && filter.thoughts.categories?.contains(String(thought.category)) ?? true
    }

    func people(of change: Change, _ fold: Blocks) -> [UUID] { [change.state?.owner].compactMap { $0 } }
    func isPersonal(_ change: Change, to viewer: UUID?, _ fold: Blocks) -> Bool { false }

    /// The present state of the viewer's own thoughts decides: the viewer can read drafts, but the feed does not have
    /// them.
    func isDecidedByLog(_ kind: ChangeKind, of change: Change, for viewer: UUID?) -> Bool {
        if kind == .removed { return change.after == nil }
        return filter.thoughts.categories == nil
            && !(change.object.kind == .thought && viewer != nil && change.after?.owner == viewer)
    }

    func objects(
        of change: BulkVisibilityChange, limit: Int, _ context: RequestContext
    ) async throws -> [ScopeObject] {
        guard case .person(let person) = change.cause else { return [] }
        if let author = filter.thoughts.authorID, author != person { return [] }
        // The viewer does not see the hidden objects, so they are read as an anonymous viewer sees them.
        return try await context.anonymous.start(ScopeObjects(objects(by: person), limit: limit)).value
    }

    private func objects(by person: UUID) -> SQL {
        var thoughts: SQL = """
            select 'thought', t.id, t.author_id, null::uuid from thoughts t \
            where t.author_id = \(person) and t.status = 'PUBLISHED'
            """
        if let categories = filter.thoughts.categories { thoughts = "\(thoughts) and t.category = any(\(categories))" }
        let events = EventFilter().events(by: person)
        switch (filter.includesThoughts, filter.includesEvents) {
        case (true, true): return "\(thoughts) union all \(events)"
        case (true, false): return thoughts
        case (false, _): return events
        }
    }

    func rows(of change: BulkVisibilityChange, for viewer: UUID?) -> SQL? {
        if case .person(let person) = change.cause { "s.owner = \(person)" } else { nil }
    }
}

extension FeedChanges {
    static var events: Binding { ChangeEvent<FeedItem>.binding("FeedChange") }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>) {
        subscription.changes("feedChanges", of: FeedItem.self) { context in
            FeedChanges(filter: try context.arguments.decode(FeedFilter?.self, "filter") ?? FeedFilter())
        }
    }

    static func requested(by input: InputObject) throws -> ScopeInput.Scope? {
        guard let filter: FeedFilter = try input.decode("feed") else { return nil }
        return { _ in FeedChanges(filter: filter) }
    }
}

extension FeedItem: ChangedNode {
    init?(node: Node) {
        if let thought = Thought(node: node) {
            self = .thought(thought)
        } else if let event = Event(node: node) {
            self = .event(event)
        } else {
            return nil
        }
    }
}
