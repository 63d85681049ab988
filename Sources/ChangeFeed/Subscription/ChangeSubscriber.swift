import GraphQL
import Postgres
import Synchronization

/// The server's side of one subscription: its scope, its fold of the log, and the changes that wait for its reader.
///
/// The code that runs for each subscriber that a change is offered to is inlined into the module of the scope.
public final class ChangeSubscriber<Scope: ChangeScope>: Sendable {
    public typealias Context = Scope.Context
    public typealias Object = Scope.Object

    /// The state as of the last change that was matched. Changes are matched in the order of the log.
    @usableFromInline
    struct State {
        @usableFromInline var fold: Scope.Fold
        @usableFromInline var sent = SentObjects()

        @inlinable
        init(fold: Scope.Fold) { self.fold = fold }
    }

    public let scope: Scope
    /// The id of the viewer's account; nil for an anonymous viewer.
    public let viewer: UUID?
    /// Whether the selection depends on the viewer.
    public let isPersonal: Bool
    @usableFromInline let queue = ChangeQueue()
    @usableFromInline let state: Mutex<State>

    /// - Parameter fold: the fold at the position where the changes begin; nil for one before anything was read.
    public init(scope: Scope, viewer: UUID?, isPersonal: Bool = true, fold: Scope.Fold? = nil) {
        self.scope = scope
        self.viewer = viewer
        self.isPersonal = isPersonal
        state = Mutex(State(fold: fold ?? scope.fold(for: viewer)))
    }

    /// The current topics of the scope and the fold.
    var topics: [ChangeTopic] { scope.topics + state.withLock { $0.fold.topics } }

    // MARK: - Matching changes, and telling them

    /// The change as it concerns this subscription; nil if it does not. Changes have to be given in the order of the
    /// log.
    public func match(_ change: SharedChange) -> MatchedChange? { matchWithEffect(change).0 }

    @inlinable
    func matchWithEffect(_ change: SharedChange) -> (MatchedChange?, FoldEffect?) {
        let logged = change.change
        return state.withLock { state in
            let effect = state.fold.apply(logged)
            switch scope.match(logged, for: viewer, state.fold, effect) {
            case nil: return (nil, effect)
            case .object(let kind):
                let isPersonal = isPersonal || scope.isPersonal(logged, to: viewer, state.fold)
                return (MatchedChange(change, kind, isPersonal: isPersonal), effect)
            case .bulk(let cause, let isHidden, let objects):
                let bulk = BulkVisibilityChange(cause, isHidden: isHidden, objects, state.fold)
                return (MatchedChange(change, isHidden ? .removed : .added, bulk: bulk), effect)
            }
        }
    }

    /// Whether the scope covers the object in this state, regardless of hidden people.
    func includes(_ object: ObjectID, _ objectState: ChangeState) -> Bool {
        let fold = state.withLock { $0.fold }
        return scope.includes(object, objectState, for: viewer, fold)
    }

    /// Whether the client has the object already, before the log's row that adds it.
    func isEarly(_ object: ObjectID) -> Bool { state.withLock { $0.sent.isEarly(object) } }

    /// Whether the client may have read an object before a block hid it, as `ChangeFold.mayHave` tells.
    func mayHave(_ entry: Change, hiddenBy block: Change) -> Bool {
        state.withLock { $0.sent.isEarly(entry.object) || $0.fold.mayHave(entry, hiddenBy: block) }
    }

    /// Whether a bulk visibility change is skipped. When another block follows the end of a block, both the end and the
    /// other block are skipped.
    func leavesOut(_ bulk: BulkVisibilityChange, by change: Change) -> Bool {
        guard case .person(let person) = bulk.cause else { return false }
        return state.withLock { state in
            if bulk.isHidden { return state.sent.removeUnsent(person) }
            guard state.fold.willHide(person) else { return false }
            if state.fold.wasCommitted(change) == false { state.sent.addUnsent(person) }
            return true
        }
    }

    /// The kind of event to send for a change. An event never shows more than the object as the viewer sees it when the
    /// event is sent. REMOVED is sent once: when the log has the object removed or hidden, or when the object has left
    /// the scope unnoticed.
    /// - Parameter object: the object as the viewer sees it now; nil if the viewer does not see it.
    /// - Returns: nil if the client gets no event. A row that hid the object follows in the log.
    public func kindToSend(_ change: MatchedChange, _ object: Object?) -> ChangeKind? {
        let isThere = object.map(scope.includes) ?? false
        let logged = change.shared.change
        return state.withLock { state in
            let isNew = state.fold.wasCommitted(logged) == false
            let people = state.sent.hasUnsentPeople ? scope.people(of: logged, state.fold) : []
            let kind = state.sent.kindToSend(
                change, isThere: isThere, isSeen: object != nil, canLoseObjectsSilently: scope.canLoseObjectsSilently,
                isNew: isNew, isUnsent: state.sent.isUnsent(people))
            if let kind, kind != .removed { for person in people { _ = state.sent.removeUnsent(person) } }
            return kind
        }
    }

    // MARK: - Sharing responses

    /// Whether this viewer sees the change as everybody does to whom it is offered.
    @inlinable
    func looksTheSame(_ change: MatchedChange) -> Bool {
        !change.isPersonal && (viewer == nil || change.shared.change.state?.owner != viewer)
    }

    /// Whether a parked reader can be handed the shared response to the change: the log alone decides its kind.
    @inlinable
    func isPlain(_ change: MatchedChange) -> Bool {
        let logged = change.shared.change
        return change.bulk == nil && looksTheSame(change) && scope.isDecidedByLog(change.kind, of: logged, for: viewer)
    }

    /// Whether the change is shared at the moment when it is sent. Since the change was offered, a block or a newer
    /// change of the object may have made the shared reading outdated.
    public func isShared(_ change: MatchedChange) -> Bool {
        change.isAsOffered && looksTheSame(change) && isShared(change, queue.hasNewer(than: change.shared))
    }

    @inlinable
    func isShared(_ change: MatchedChange, _ hasNewer: Bool) -> Bool {
        if hasNewer || change.shared.excepts(viewer) { return false }
        let logged = change.shared.change
        return state.withLock { state in
            if state.sent.isWithheld(logged.object) || state.sent.isEarly(logged.object) { return false }
            if state.sent.hasUnsentPeople { return false }
            return state.fold.hidesNobody || !scope.people(of: logged, state.fold).contains(where: state.fold.willHide)
        }
    }

    /// Hands the parked reader the response to a change that it was offered as a shared one. Called on the reader's
    /// executor.
    @inlinable
    func receive(_ change: MatchedChange, _ response: SharedResponse) {
        guard let claim = queue.claim(change) else { return }
        let isDone =
            claim.isNext && change.isAsOffered && isShared(change, claim.hasNewer) && claim.reader.sink.write(response)
        queue.finish(claim, change, isDone: isDone)
    }
}
