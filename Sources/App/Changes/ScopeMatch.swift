import ChangeFeed

/// A change that matches one of the scopes of a `ChangeList`, with the subscriber of that scope.
struct ScopeMatch {
    let matched: MatchedChange
    let subscriber: any ChangeSubscription<RequestContext, Node>

    /// The kind of event to send for this scope, given the object as the viewer sees it now.
    func kindToSend(_ node: Node?, _ hub: ChangeHub) -> ChangeKind? {
        subscriber.kindToSend(matched, matched.isLoss ? nil : node, hub)
    }
}

/// The matches of one object that a change concerns: one for each scope that the change matches.
struct ObjectMatches {
    private(set) var matches: [ScopeMatch]

    /// The edge whose event is made of the matches. `ChangeEvent.forSubscriber` decides the event's kind.
    /// - Parameter cursor: the cursor of the event.
    func edge(at cursor: ChangeCursor, _ context: RequestContext) throws -> ChangeList.Edge {
        // The event reads the object unless its own match is a loss. The other matches may need the object too. So the
        // first match that is no loss becomes the event's own; if all are losses, the first of them does.
        var others = matches
        let first = others.remove(at: matches.firstIndex { !$0.matched.isLoss } ?? 0)
        return ChangeList.Edge(
            event: try ChangeEvent(first.matched.withCursor(cursor), for: first.subscriber, context), others: others)
    }

    mutating func add(_ match: ScopeMatch) { matches.append(match) }
}

extension [any ChangeSubscription<RequestContext, Node>] {
    /// The objects that a change concerns, in the order in which the scopes match them.
    /// - Returns: nil if there are more than `limit`.
    /// - Throws: CURSOR_EXPIRED if a bulk visibility change concerns too many objects, or if the log has too many newer
    ///   rows about them.
    func matches(
        _ change: SharedChange, limit: Int, _ context: RequestContext
    ) async throws -> [ObjectMatches]? {
        var objects: [ObjectMatches] = []
        var places: [ObjectID: Int] = [:]
        func add(_ match: ScopeMatch) {
            let object = match.matched.shared.change.object
            if let place = places[object] { return objects[place].add(match) }
            places[object] = objects.count
            objects.append(ObjectMatches(matches: [match]))
        }
        // Every subscriber has to apply the change to its fold, even if another one has matched it.
        for subscriber in self {
            guard let matched = subscriber.match(change) else { continue }
            guard let bulk = matched.bulk else {
                add(ScopeMatch(matched: matched, subscriber: subscriber))
                continue
            }
            for one in try await subscriber.changes(of: bulk, change, context) {
                add(ScopeMatch(matched: one, subscriber: subscriber))
            }
            if objects.count > limit { return nil }
        }
        return objects.count > limit ? nil : objects
    }
}
