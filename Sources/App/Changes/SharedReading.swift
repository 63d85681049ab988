import ChangeFeed
import GraphQL
import Postgres
import Synchronization

/// The read of a change's object, shared by the subscribers that see the object as everybody does. The change refers to
/// its reading, so the reading does not refer to the change.
final class SharedReading: Sendable {
    private let reading: NodeReading
    private let audiences = Mutex<[ChangeKind: EventAudience<RequestContext>]>([:])
    private let blocks = Mutex<Task<Void, any Error>?>(nil)

    private init(_ object: TypeID) { reading = NodeReading(object) }

    static func of(_ change: SharedChange, _ object: TypeID) -> SharedReading {
        change.reading { SharedReading(object) }
    }

    /// The audience of the subscribers that see the object as everybody does.
    func everybody(_ kind: ChangeKind, _ environment: Environment) -> EventAudience<RequestContext> {
        audiences.withLock { audiences in
            if let audience = audiences[kind] { return audience }
            let audience = EventAudience(
                context: RequestContext(environment: environment, viewer: nil), executions: SharedExecutions())
            audiences[kind] = audience
            return audience
        }
    }

    /// The object as everybody may see it. Blocks are looked up after the object was read, so that a block that was
    /// committed before the read is found even if the tail has not published it yet.
    /// - Parameter change: the change whose reading this is.
    func node(of change: SharedChange, _ environment: Environment) -> Pending<Node?> {
        change.noteReading()
        let node = reading.node(for: RequestContext(environment: environment, viewer: nil).everybody)
        let blocks = blocks.withLock { blocks in
            if let task = blocks { return task }
            let started = Task {
                _ = try await node.value()
                guard let position = environment.changes.cursor?.position else { throw ExecutionError.unavailable }
                change.except(Set(try await environment.pools.worker.run(PeopleOfBlocks(position: position))))
            }
            blocks = started
            return started
        }
        return Pending {
            try await blocks.value
            return try await node.value()
        }
    }
}
