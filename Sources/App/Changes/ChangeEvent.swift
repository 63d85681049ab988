import ChangeFeed
import GraphQL
import Postgres

/// The type of a change's node: the object that the field `node` gives.
protocol ChangedNode: FieldOutput {
    /// Whether changes of this type are pushed to devices. A device gets no push message for a change that its own
    /// session has received live.
    static var ringsDevices: Bool { get }

    init?(node: Node)
}

extension ChangedNode {
    static var ringsDevices: Bool { false }
}

/// An event of a subscription: a change with its object.
struct ChangeEvent<Object: ChangedNode>: SharedEvent {
    let object: TypeID
    private(set) var kind: ChangeKind
    let cursor: ChangeCursor
    /// The object as everybody sees it if the event has an audience, otherwise as the viewer sees it.
    private var node: Pending<Node?>
    private(set) var audience: EventAudience<RequestContext>?
    private let receipt: PushReceipt?
    private let matched: MatchedChange
    private let subscriber: any ChangeSubscription<RequestContext, Node>

    /// The object's state in the row of the log.
    var state: ChangeState? { matched.shared.change.state }
    var position: String? { cursor.text }
    var onReceipt: (@Sendable () -> Void)? {
        guard kind != .removed, let receipt else { return nil }
        return { receipt.note() }
    }

    init(
        _ matched: MatchedChange, for subscriber: any ChangeSubscription<RequestContext, Node>,
        _ context: RequestContext
    ) throws {
        self.matched = matched
        self.subscriber = subscriber
        let change = matched.shared.change
        guard let object = TypeID(change.object) else { throw PostgresError.unavailable }
        self.object = object
        kind = matched.kind
        cursor = matched.cursor
        receipt = Object.ringsDevices ? PushReceipt(of: change, in: context) : nil
        // The read is started here, so that the reads of several events run together.
        if subscriber.isShared(matched) {
            let shared = SharedReading.of(matched.shared, object)
            audience = shared.everybody(matched.kind, context.environment)
            node = matched.isLoss ? Pending(nil) : shared.node(of: matched.shared, context.environment)
        } else {
            audience = nil
            node = matched.isLoss ? Pending(nil) : NodeReading(object).node(in: context)
        }
    }

    /// The event for this subscriber, given the object as the viewer sees it now; nil if the subscriber gets no event.
    func forSubscriber(in context: RequestContext) async throws -> Self? {
        var event = self
        let node = matched.isLoss ? nil : try await event.read(in: context)
        guard let kind = subscriber.kindToSend(matched, node) else { return nil }
        event.kind = kind
        if kind != matched.kind {
            event.audience = event.audience.map { _ in
                SharedReading.of(matched.shared, object).everybody(kind, context.environment)
            }
        }
        return event
    }

    /// Reads the object as everybody sees it. If the event is no longer shared, reads the object as the viewer sees it.
    private mutating func read(in context: RequestContext) async throws -> Node? {
        let found = try await node.value()
        if audience == nil || subscriber.isShared(matched) { return found }
        audience = nil
        node = NodeReading(object).node(in: context)
        return try await node.value()
    }

    /// The event for all subscribers that share it.
    /// - Throws: `UnsharedChange` if each subscriber has to read the object itself.
    func shared() async throws -> Self {
        if matched.isLoss { return self }
        guard audience != nil, let node = try await node.value(), node.fits(state) else { throw UnsharedChange() }
        return self
    }

    static func binding(
        _ name: String, _ more: (inout ObjectFields<Self, RequestContext>) -> Void = { _ in }
    ) -> Binding {
        ObjectBinding<Self, RequestContext>(name) { change in
            change.field("kind", \.kind)
            change.field("nodeId", \.object)
            change.load("node") { changes in
                let nodes = changes.map { $0.kind == .removed ? Pending(nil) : $0.node }
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

private struct UnsharedChange: Error {}

extension Node {
    /// True if the object's author is the one in a row of the log, and a comment's subject is, too. Otherwise the id may
    /// have been given to another object since the row. The other object is not in every list that has the row's object.
    fileprivate func fits(_ state: ChangeState?) -> Bool {
        guard let state, let authored = object as? any Authored else { return true }
        return authored.authorID == state.owner && Comment(node: self).map { state.isOn($0.subject.object) } ?? true
    }
}
