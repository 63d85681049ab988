import GraphQL
import Postgres
import Synchronization

/// Reads on for a parked subscription.
public typealias ChangeReader = ParkedReader<MatchedChange>

/// One subscription: what it is about, what it has folded of the log, and the changes that wait for its reader.
///
/// What is done for each subscriber that a change is offered to is inlined into its scope's module.
public final class ChangeSubscriber<Scope: ChangeScope>: Sendable {
    public typealias Context = Scope.Context
    public typealias Object = Scope.Object

    /// As of the changes that were matched, which come in the log's order.
    @usableFromInline
    struct State {
        @usableFromInline var fold: Scope.Fold
        @usableFromInline var told = ToldObjects()

        @inlinable
        init(fold: Scope.Fold) { self.fold = fold }
    }

    public let scope: Scope
    /// nil for an anonymous viewer.
    public let viewer: UUID?
    /// Whether what is selected depends on who asks.
    public let isPersonal: Bool
    @usableFromInline let queue = ChangeQueue()
    @usableFromInline let state: Mutex<State>

    /// - Parameter fold: where the changes begin; nil where nothing is known yet.
    public init(scope: Scope, viewer: UUID?, isPersonal: Bool = true, fold: Scope.Fold? = nil) {
        self.scope = scope
        self.viewer = viewer
        self.isPersonal = isPersonal
        state = Mutex(State(fold: fold ?? scope.fold(for: viewer)))
    }

    /// Those of now.
    var topics: [ChangeTopic] { scope.topics + state.withLock { $0.fold.topics } }

    // MARK: - What a change is for it

    /// Changes are given to it in the order of the log.
    public func match(_ change: SharedChange) -> MatchedChange? { matchWithEffect(change).0 }

    @inlinable
    func matchWithEffect(_ change: SharedChange) -> (MatchedChange?, FoldEffect?) {
        let logged = change.change
        return state.withLock { state in
            let effect = state.fold.apply(logged)
            switch scope.match(logged, for: viewer, state.fold, effect) {
            case nil: return (nil, effect)
            case .object(let kind): return (MatchedChange(change, kind), effect)
            case .bulk(let cause, let isHidden, let objects):
                let bulk = BulkVisibilityChange(cause, isHidden: isHidden, objects, state.fold)
                return (MatchedChange(change, isHidden ? .removed : .added, bulk: bulk), effect)
            }
        }
    }

    /// Whether an object in this state is what the subscription is about, whoever is hidden.
    func includes(_ object: ObjectID, _ objectState: ChangeState) -> Bool {
        let fold = state.withLock { $0.fold }
        return scope.includes(object, objectState, for: viewer, fold)
    }

    /// Whether the client has it already, though the log has it come later.
    func isEarly(_ object: ObjectID) -> Bool { state.withLock { $0.told.isEarly(object) } }

    /// Whether nothing of what a bulk change shows or hides is to be told: the end of a block that is followed by
    /// another, and that other.
    func passesOver(_ bulk: BulkVisibilityChange, by change: Change) -> Bool {
        guard case .person(let person) = bulk.cause else { return false }
        return state.withLock { state in
            if bulk.isHidden { return state.told.removeUntold(person) }
            guard state.fold.willHide(person) else { return false }
            if state.fold.wasLoaded(before: change) { state.told.addUntold(person) }
            return true
        }
    }

    /// What to tell of a change: never more than the object as the viewer sees it when the change goes out, and that it
    /// is gone only where the log has it gone, once.
    /// - Parameter object: as the viewer sees it now; nil where the viewer does not.
    /// - Returns: nil where there is nothing to tell. What hid an object has a row of its own in the log.
    public func tell(_ change: MatchedChange, _ object: Object?) -> ChangeKind? {
        let isThere = object.map(scope.includes) ?? false
        let logged = change.shared.change
        return state.withLock { state in
            let isNew = state.fold.wasLoaded(before: logged)
            return state.told.tell(
                change, isThere: isThere, isSeen: object != nil, canBeLeftUnnoticed: scope.canBeLeftUnnoticed,
                isNew: isNew, people: scope.people(of: logged))
        }
    }

    // MARK: - Whether it shares what others get

    /// Whether it sees in a change what everybody sees who is offered it.
    @inlinable
    func isShared(_ change: Change) -> Bool {
        if isPersonal || scope.isPersonal(change, to: viewer) { return false }
        return viewer == nil || change.state?.owner != viewer
    }

    /// Whether the response to the change can be handed to it while it is parked: the log alone tells what happened.
    @inlinable
    func isPlain(_ change: MatchedChange) -> Bool {
        let logged = change.shared.change
        return change.bulk == nil && isShared(logged) && scope.isSettled(change.kind, of: logged, for: viewer)
    }

    /// Whether it shares the change now, as that goes out: a block may have come since it was offered, or the shared
    /// reading may be old, as there is a newer change of the object.
    public func isShared(_ change: MatchedChange) -> Bool {
        change.isAsOffered && isShared(change.shared.change) && isShared(change, queue.hasNewer(than: change.shared))
    }

    @inlinable
    func isShared(_ change: MatchedChange, _ hasNewer: Bool) -> Bool {
        if hasNewer || change.shared.excepts(viewer) { return false }
        let logged = change.shared.change
        return state.withLock { state in
            if state.told.isUntold(logged.object) { return false }
            return state.fold.hidesNobody || !scope.people(of: logged).contains(where: state.fold.willHide)
        }
    }

    /// Hands its parked reader the response to a change that it was offered as a shared one. Called on the reader's
    /// executor.
    @inlinable
    func receive(_ change: MatchedChange, _ response: SharedResponse) {
        guard let claim = queue.claim(change) else { return }
        let isDone =
            claim.isNext && change.isAsOffered && isShared(change, claim.hasNewer) && claim.reader.write(response)
        queue.finish(claim, change, isDone: isDone)
    }
}
