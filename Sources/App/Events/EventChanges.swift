import ChangeFeed
import GraphQL
import Postgres

extension ObjectKind {
    static let event = ObjectKind(rawValue: "event")
}

/// The changes of the events that fulfil a filter.
struct EventChanges: LiveScope {
    let filter: EventFilter

    var topics: [ChangeTopic] { [.kind(.event)] }

    func fold(for viewer: UUID?) -> Blocks { Blocks(unknownOf: viewer) }
    func needsLoad(for viewer: UUID?) -> Bool { viewer != nil }

    static func load(_ scopes: [EventChanges], _ loader: FoldLoader<RequestContext>) async throws -> [Blocks] {
        let blocks = try await loader.load(Blocks.self)
        return scopes.map { _ in blocks }
    }

    func match(_ change: Change, for viewer: UUID?, _ fold: Blocks, _ effect: FoldEffect?) -> ChangeMatch? {
        if change.object.kind == .block { return .person(effect) }
        return match(kind(of: change, for: viewer, fold), of: change, fold)
    }

    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: Blocks) -> Bool {
        guard object.kind == .event else { return false }
        if let author = filter.authorID, author != state.owner { return false }
        guard let starts = state.time else { return true }
        if let bound = filter.startsAfter, starts < bound { return false }
        if let bound = filter.startsBefore, starts >= bound { return false }
        return true
    }

    func includes(_ node: Node) -> Bool {
        guard let event = Event(node: node) else { return true }
        return filter.authorID.map { event.authorID == $0 } ?? true
            && filter.startsAfter.map { event.startsAt >= $0 } ?? true
            && filter.startsBefore.map { event.startsAt < $0 } ?? true
            && filter.endsAfter.map { event.endsAt > $0 } ?? true
    }

    func people(of change: Change, _ fold: Blocks) -> [UUID] { [change.state?.owner].compactMap { $0 } }
    func isPersonal(_ change: Change, to viewer: UUID?, _ fold: Blocks) -> Bool { false }

    func isDecidedByLog(_ kind: ChangeKind, of change: Change, for viewer: UUID?) -> Bool {
        if kind == .removed { return change.after == nil }
        return filter.startsAfter == nil && filter.startsBefore == nil && filter.endsAfter == nil
    }

    /// An event whose end has changed may no longer match `endsAfter`, and the log's rows do not have the end.
    var canLoseObjectsSilently: Bool { filter.endsAfter != nil }

    func objects(
        of change: BulkVisibilityChange, limit: Int, _ context: RequestContext
    ) async throws -> [ScopeObject] {
        guard case .person(let person) = change.cause else { return [] }
        if let author = filter.authorID, author != person { return [] }
        // The viewer cannot read events that have just been hidden, so the events are read without a viewer.
        return try await context.anonymous.start(ScopeObjects(filter.events(by: person), limit: limit)).value
    }

    func rows(of change: BulkVisibilityChange, for viewer: UUID?) -> SQL? {
        if case .person(let person) = change.cause { "s.owner = \(person)" } else { nil }
    }
}

extension EventFilter {
    func events(by person: UUID) -> SQL {
        var sql: SQL = "select 'event', e.id, e.author_id, null::uuid from events e where e.author_id = \(person)"
        if let instant = startsAfter { sql = "\(sql) and e.starts_at >= \(instant)" }
        if let instant = startsBefore { sql = "\(sql) and e.starts_at < \(instant)" }
        if let instant = endsAfter { sql = "\(sql) and e.ends_at > \(instant)" }
        return sql
    }
}

extension EventChanges {
    static var events: Binding { ChangeEvent<Event>.binding("EventChange") }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>) {
        subscription.changes("eventChanges", of: Event.self) { context in
            EventChanges(filter: try context.arguments.decode(EventFilter?.self, "filter") ?? EventFilter())
        }
    }

    static func requested(by input: InputObject) throws -> ScopeInput.Scope? {
        guard let filter: EventFilter = try input.decode("events") else { return nil }
        return { _ in EventChanges(filter: filter) }
    }
}
