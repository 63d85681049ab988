import GraphQL
import Postgres

/// What the node of a change can be: the type of its field.
protocol ChangedObject: FieldOutput {
    init?(node: Node)
}

/// A change as the subscription field gives it.
struct ChangeEvent<Object: ChangedObject>: ObjectValue, SharedEvent {
    let object: TypeID
    private(set) var kind: ChangeKind
    let cursor: ChangeCursor
    let subjectID: UUID?
    let reading: NodeReading
    private(set) var audience: EventAudience<RequestContext>?
    private let matched: MatchedChange
    private let subscriber: ChangeSubscriber

    var position: String? { cursor.text }

    init(_ matched: MatchedChange, for subscriber: ChangeSubscriber, _ context: RequestContext) {
        self.matched = matched
        self.subscriber = subscriber
        let change = matched.shared.change
        let state = change.after ?? change.before
        object = change.object
        kind = matched.kind
        cursor = matched.shared.cursor
        subjectID = state?.subjectID
        if subscriber.isShared(change) {
            reading = matched.shared.reading
            audience = matched.shared.everybody(matched.kind, context.environment)
        } else {
            reading = NodeReading(change.object)
            audience = nil
        }
        // Several that are made one after another are read at once.
        if !subscriber.isSettled(matched) { _ = reading.node(in: audience?.context ?? context) }
    }

    /// With the kind by what the object is now, where the log does not tell.
    func settled(in context: RequestContext) async throws -> Self {
        if subscriber.isSettled(matched) { return self }
        let node = try await reading.node(in: audience?.context ?? context).value()
        let isThere = node.map(subscriber.scope.includes) ?? false
        var settled = self
        settled.kind = isThere ? (kind == .removed ? .changed : kind) : .removed
        if audience != nil { settled.audience = matched.shared.everybody(settled.kind, context.environment) }
        return settled
    }

    /// nil where it is gone, hidden, or outside of the filter.
    fileprivate func node(in context: RequestContext) -> Pending<Node?> {
        kind == .removed ? Pending(nil) : reading.node(in: context)
    }

    static func binding(
        _ name: String, _ more: (inout ObjectFields<Self, RequestContext>) -> Void = { _ in }
    ) -> Binding {
        ObjectBinding<Self, RequestContext>(name) { change in
            change.load("kind") { changes, context in
                let nodes = changes.map { $0.node(in: context.context) }
                return Pending {
                    var kinds: [ChangeKind] = []
                    for (change, node) in zip(changes, nodes) {
                        kinds.append(try await node.value() == nil ? .removed : change.kind)
                    }
                    return kinds
                }
            }
            change.field("nodeId", \.object)
            change.load("node") { changes, context in
                let nodes = changes.map { $0.node(in: context.context) }
                return Pending {
                    var objects: [Object?] = []
                    for node in nodes { objects.append(try await node.value().flatMap { Object(node: $0) }) }
                    return objects
                }
            }
            change.field("cursor", \.cursor)
            more(&change)
        }
    }
}

extension Node: ChangedObject {
    init?(node: Node) { self = node }
}

extension FeedItem: ChangedObject {
    init?(node: Node) {
        switch node {
        case .thought(let thought): self = .thought(thought)
        case .event(let event): self = .event(event)
        default: return nil
        }
    }
}

extension Comment: ChangedObject {
    init?(node: Node) {
        guard case .comment(let comment) = node else { return nil }
        self = comment
    }
}

extension Event: ChangedObject {
    init?(node: Node) {
        guard case .event(let event) = node else { return nil }
        self = event
    }
}

extension Message: ChangedObject {
    init?(node: Node) {
        guard case .message(let message) = node else { return nil }
        self = message
    }
}

extension Conversation: ChangedObject {
    init?(node: Node) {
        guard case .conversation(let conversation) = node else { return nil }
        self = conversation
    }
}

extension Notification: ChangedObject {
    init?(node: Node) {
        guard case .notification(let notification) = node else { return nil }
        self = notification
    }
}

extension TypeID.Kind {
    /// Not for everybody who asks.
    var isPrivate: Bool {
        switch self {
        case .user, .thought, .comment, .event, .image: false
        default: true
        }
    }
}

extension FieldSelection {
    /// Whether what is selected depends on who asks: marks and rights of the viewer, and lists, which leave out what is
    /// hidden from it.
    var isPersonal: Bool {
        names.contains { name in
            name.hasPrefix("viewer") || Self.personal.contains(name) || self[name]?.isPersonal ?? false
        }
    }

    private static let personal: Set<String> = [
        "saveCount", "comments", "likers", "attendees", "thoughts", "events", "subject",
    ]
}
