import ChangeFeed
import GraphQL
import Postgres
import Synchronization

/// The read of a change's object, shared by the subscribers that see the object as everybody does.
final class SharedReading: Sendable {
    private let reading: NodeReading
    private let audiences = Mutex<[ChangeKind: EventAudience<RequestContext>]>([:])
    private let route = Mutex<SharedRoute?>(nil)
    private let blocks = Mutex<Task<Void, any Error>?>(nil)

    private init(_ object: TypeID) { reading = NodeReading(object) }

    /// The reading belongs to the change, and so must not hold it.
    static func of(_ change: SharedChange, _ object: TypeID) -> SharedReading {
        change.reading { SharedReading(object) }
    }

    /// The audience of the subscribers that see the object as everybody does.
    func everybody(_ kind: ChangeKind, _ environment: Environment) -> EventAudience<RequestContext> {
        audiences.withLock { audiences in
            if let audience = audiences[kind] { return audience }
            let audience = EventAudience(context: context(environment), executions: SharedExecutions())
            audiences[kind] = audience
            return audience
        }
    }

    /// A context without a viewer, for the reads that the subscribers share. A standby may serve these reads only if it
    /// has passed all changes that were published when the first such context was made: otherwise a read could show an
    /// object as it was before a change that hides it.
    private func context(_ environment: Environment) -> RequestContext {
        let context = RequestContext(environment: environment, viewer: nil)
        guard let standbys = environment.standbys else { return context }
        let shared = route.withLock { route in
            if let route { return route }
            let made = SharedRoute(atLeast: nil)
            made.require(standbys.position(of: environment.changes.frontier))
            route = made
            return made
        }
        context.use(shared)
        return context
    }

    /// The object as everybody may see it. Blocks are looked up after the object was read, so that a block that was
    /// committed before the read is found even if the tail has not published it yet.
    func node(of change: SharedChange, _ environment: Environment) -> Pending<Node?> {
        change.noteReading()
        let node = reading.node(for: context(environment).everybody)
        let blocks = blocks.withLock { blocks in
            if let task = blocks { return task }
            let started = Task { [change] in
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
