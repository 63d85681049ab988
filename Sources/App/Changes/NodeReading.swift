import GraphQL
import Postgres
import Synchronization

/// The read of a change's object, started when the change's event is made. One read serves all fields.
final class NodeReading: Sendable {
    let object: TypeID
    private let task = Mutex<Task<Node?, any Error>?>(nil)

    init(_ object: TypeID) { self.object = object }

    /// The object as the viewer sees it; nil if it is deleted or not visible.
    func node(in context: RequestContext) -> Pending<Node?> { once { [object] in context.changedNode(object) } }

    /// The object as everybody sees it; nil also for an object of a private kind, which is never shared.
    func node(for everybody: Everybody) -> Pending<Node?> { once { [object] in everybody.changedNode(object) } }

    private func once(_ read: @escaping @Sendable () -> Pending<Node?>) -> Pending<Node?> {
        let task = task.withLock { task in
            if let task { return task }
            let started = Task { try await read().value() }
            task = started
            return started
        }
        return Pending { try await task.value }
    }
}

extension RequestContext {
    fileprivate func changedNode(_ id: TypeID) -> Pending<Node?> {
        id.kind.objectKind.isPrivate ? nodes([id]).map { $0[0] } : everybody.changedNode(id)
    }
}

extension Everybody {
    fileprivate func changedNode(_ id: TypeID) -> Pending<Node?> { id.kind.type.changed(id.uuid, for: self) }
}
