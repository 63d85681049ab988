import GraphQL
import Postgres

/// What a subscription is about: a list, some objects, a mailbox. One conformer in the folder of its feature.
public protocol ChangeScope<Context, Object>: Sendable {
    associatedtype Context: ChangeContext
    /// What an object is once it has been read for a viewer.
    associatedtype Object: Sendable
    associatedtype Fold: ChangeFold

    /// By which its rows are found, beside the fold's.
    var topics: [ChangeTopic] { get }

    /// What is known before anything was read.
    func fold(for viewer: UUID?) -> Fold

    /// Whether the fold has to be loaded, where the subscription begins.
    func needsLoad(for viewer: UUID?) -> Bool

    /// The folds of several scopes, in their order.
    static func load(_ scopes: [Self], _ loader: FoldLoader<Context>) async throws -> [Fold]

    /// What a row of the log is for a subscription; nil where it is not concerned.
    /// - Parameters:
    ///   - fold: after the row.
    ///   - effect: of the row.
    func match(_ change: Change, for viewer: UUID?, _ fold: Fold, _ effect: FoldEffect?) -> ChangeMatch?

    /// Whether the object of a row is what the subscription is about in this state of its, whoever is hidden.
    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: Fold) -> Bool

    /// Whether an object that the viewer sees at present is what the subscription is about. Whose it is never changes.
    func includes(_ object: Object) -> Bool

    /// Those of whom none may be hidden from who gets the change. What the log does not tell, the policies decide when
    /// the object is read.
    func people(of change: Change) -> [UUID]

    /// Whether the object may look different to this viewer than to everybody: it is read in the viewer's own name.
    func isPersonal(_ change: Change, to viewer: UUID?) -> Bool

    /// Whether the log alone tells what a change is for the subscription. Of two writers of one object the later may
    /// have the lower transaction: then the rows lie in another order than they were written, and the last of them is
    /// not the object's last state. So what can come back, or leave a filter, is decided by the object as it is.
    func isSettled(_ kind: ChangeKind, of change: Change, for viewer: UUID?) -> Bool

    /// Whether an object can leave the scope without a row of the log that tells so.
    var canBeLeftUnnoticed: Bool { get }

    /// The objects of the scope that a bulk change hides or shows, as they are at present, or as the change names them.
    func objects(
        of change: BulkVisibilityChange, limit: Int, _ context: Context
    ) async throws -> [ScopeObject]

    /// The rows of the log that tell what became of those objects since, as a condition on the alias `s`, their state;
    /// nil where no row does.
    func rows(of cause: BulkVisibilityChange.Cause) -> SQL?

    /// Offers a change to subscribers of this scope. Not for conformers to implement: the default is compiled for each
    /// of them, so that nothing dynamic is called for each subscriber.
    static func offer(
        _ change: SharedChange, to subscribers: [ObjectIdentifier: ChangeSubscriber<Self>], hasOthers: Bool,
        _ delivery: inout ChangeDelivery)

    /// Hands subscribers the response to a change that they were offered. As above.
    static func receive(
        _ change: MatchedChange, _ response: SharedResponse, _ subscribers: ArraySlice<ChangeSubscriber<Self>>)
}

extension ChangeScope {
    public func includes(_ object: Object) -> Bool { true }
    public func people(of change: Change) -> [UUID] { [] }
    public func isPersonal(_ change: Change, to viewer: UUID?) -> Bool { true }
    public var canBeLeftUnnoticed: Bool { false }
    public func rows(of cause: BulkVisibilityChange.Cause) -> SQL? { nil }

    public func isSettled(_ kind: ChangeKind, of change: Change, for viewer: UUID?) -> Bool {
        // What is deleted stays so.
        kind != .removed || change.after == nil
    }

    public func objects(
        of change: BulkVisibilityChange, limit: Int, _ context: Context
    ) async throws -> [ScopeObject] { [] }

    /// What a row is for a scope that includes the object before it, after it, or both.
    @inlinable
    public func kind(of change: Change, for viewer: UUID?, _ fold: Fold) -> ChangeKind? {
        ChangeKind(
            change.before.map { includes(change.object, $0, for: viewer, fold) } ?? false,
            change.after.map { includes(change.object, $0, for: viewer, fold) } ?? false)
    }

    /// What a row of the object's own is: nothing while one of those is hidden whose it is.
    @inlinable
    public func match(_ kind: ChangeKind?, of change: Change, _ fold: Fold) -> ChangeMatch? {
        guard let kind, fold.hidesNobody || !people(of: change).contains(where: fold.hides) else { return nil }
        return .object(kind)
    }

    @inlinable
    public static func offer(
        _ change: SharedChange, to subscribers: [ObjectIdentifier: ChangeSubscriber<Self>], hasOthers: Bool,
        _ delivery: inout ChangeDelivery
    ) {
        var batches = ScopeBatches<Self>()
        for (id, subscriber) in subscribers {
            if hasOthers, !delivery.reach(id) { continue }
            let (matched, effect) = subscriber.matchWithEffect(change)
            if let effect, effect.movesTopics { delivery.move(subscriber, by: effect) }
            guard let matched else { continue }
            switch subscriber.queue.offer(matched, isPlain: subscriber.isPlain(matched)) {
            case .unconcerned: break
            case .given: delivery.given += 1
            case .shared(let reader): batches.add(matched, subscriber, reader)
            case .needsTask(let reader): delivery.wake(reader)
            case .overtaken: delivery.overtake(subscriber)
            }
        }
        delivery.add(batches)
    }

    @inlinable
    public static func receive(
        _ change: MatchedChange, _ response: SharedResponse, _ subscribers: ArraySlice<ChangeSubscriber<Self>>
    ) {
        for subscriber in subscribers { subscriber.receive(change, response) }
    }
}

/// What a row of the log is for a subscription.
public enum ChangeMatch: Sendable {
    /// The row's own object came, changed or went.
    case object(ChangeKind)
    /// Objects came or went at once. Those that the subscription names are told with it.
    case bulk(BulkVisibilityChange.Cause, isHidden: Bool, [TurnedObject])
}
