import GraphQL
import Synchronization

/// A change on its way to subscribers. Those who see the same share one reading of its object.
final class SharedChange: Sendable {
    let change: Change
    let cursor: ChangeCursor
    /// As everybody may see it.
    let reading: NodeReading
    private let audiences = Mutex<[ChangeKind: EventAudience<RequestContext>]>([:])

    init(_ change: Change, cursor: ChangeCursor) {
        self.change = change
        self.cursor = cursor
        reading = NodeReading(change.object)
    }

    /// Those who see what everybody may see.
    func everybody(_ kind: ChangeKind, _ environment: Environment) -> EventAudience<RequestContext> {
        audiences.withLock { audiences in
            if let audience = audiences[kind] { return audience }
            let audience = EventAudience(
                context: RequestContext(environment: environment, viewer: nil), responses: ChangeResponses())
            audiences[kind] = audience
            return audience
        }
    }
}

/// The object of a change as it is when it goes out, read once however many fields ask.
final class NodeReading: Sendable {
    let object: TypeID
    private let task = Mutex<Task<Node?, any Error>?>(nil)

    init(_ object: TypeID) { self.object = object }

    /// nil where it is gone, or not visible.
    func node(in context: RequestContext) -> Pending<Node?> {
        let task = task.withLock { task in
            if let task { return task }
            let object = object
            let started = Task { try await context.changedNode(object).value() }
            task = started
            return started
        }
        return Pending { try await task.value }
    }
}

extension RequestContext {
    /// With its author, in one statement.
    fileprivate func changedNode(_ id: TypeID) -> Pending<Node?> {
        switch id.kind {
        case .thought:
            start(ThoughtByID(id: id.uuid, author: .joined)).pending.map { $0.first.map(Node.thought) }
        case .event:
            start(EventsByID(ids: [id.uuid], author: .joined)).pending.map { $0.first.map(Node.event) }
        default: nodes([id]).map { $0[0] }
        }
    }
}
