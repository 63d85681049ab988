import GraphQL
import Postgres

/// The objects that a subscription covers: a list with its filter, named objects, or an account's own. The conformer
/// for a list is in the folder of its feature.
public protocol ChangeScope<Context, Object>: Sendable {
    associatedtype Context: ChangeContext
    /// An object as it was read for a viewer.
    associatedtype Object: Sendable
    associatedtype Fold: ChangeFold

    /// The topics of the scope's rows, beside those of its fold.
    var topics: [ChangeTopic] { get }

    /// A fold before anything was read.
    func fold(for viewer: UUID?) -> Fold

    /// Whether the fold has to be loaded when the subscription begins.
    func needsLoad(for viewer: UUID?) -> Bool

    /// Loads the folds of several scopes, in the order of the scopes.
    static func load(_ scopes: [Self], _ loader: FoldLoader<Context>) async throws -> [Fold]

    /// The meaning of a row of the log for the subscription; nil if the row does not concern it.
    /// - Parameters:
    ///   - fold: the fold after the row.
    ///   - effect: the row's effect on the fold.
    func match(_ change: Change, for viewer: UUID?, _ fold: Fold, _ effect: FoldEffect?) -> ChangeMatch?

    /// Whether the scope covers the object of a row in one of its states, regardless of hidden people.
    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: Fold) -> Bool

    /// Whether the scope covers an object as it was read. Since the row of the log, the id may have been given to another
    /// object, which has another owner or subject.
    func includes(_ object: Object) -> Bool

    /// The people of a change: a viewer from whom any of them is hidden does not get the change. Where the log does not
    /// name them, the database's policies decide when the object is read.
    /// - Parameter fold: the fold after the change, or after a newer one.
    func people(of change: Change, _ fold: Fold) -> [UUID]

    /// Whether the object may look different to this viewer than to everybody, and has to be read in the viewer's name.
    /// - Parameter fold: the fold after the change.
    func isPersonal(_ change: Change, to viewer: UUID?, _ fold: Fold) -> Bool

    /// Whether the log alone decides the kind of a change. Where the object can return or leave a filter, its present
    /// state decides, because the object may have returned or left with a later row when the event is made.
    func isDecidedByLog(_ kind: ChangeKind, of change: Change, for viewer: UUID?) -> Bool

    /// Whether an object can leave the scope without a row of the log.
    var canLoseObjectsSilently: Bool { get }

    /// The objects of the scope that a bulk visibility change hides or shows, as they are at present or as the change
    /// names them.
    func objects(
        of change: BulkVisibilityChange, limit: Int, _ context: Context
    ) async throws -> [ScopeObject]

    /// A condition for the rows of the log that change the objects of a bulk visibility change. Its alias `s` is the
    /// state of a row's object. nil if no row changes them.
    func rows(of change: BulkVisibilityChange, for viewer: UUID?) -> SQL?

    /// Offers a change to subscribers of this scope. Conformers must not implement it: the default is compiled for each
    /// of them, so that no call per subscriber is dynamic.
    static func offer(
        _ change: SharedChange, to subscribers: [ObjectIdentifier: ChangeSubscriber<Self>], hasOthers: Bool,
        _ delivery: inout ChangeDelivery)

    /// Hands subscribers the response to a change that they were offered. Conformers must not implement it, for the
    /// same reason as `offer`.
    static func receive(
        _ change: MatchedChange, _ response: SharedResponse, _ subscribers: ArraySlice<ChangeSubscriber<Self>>)
}

extension ChangeScope {
    public func includes(_ object: Object) -> Bool { true }
    public func people(of change: Change, _ fold: Fold) -> [UUID] { [] }
    public func isPersonal(_ change: Change, to viewer: UUID?, _ fold: Fold) -> Bool { true }
    public var canLoseObjectsSilently: Bool { false }
    public func rows(of change: BulkVisibilityChange, for viewer: UUID?) -> SQL? { nil }

    public func isDecidedByLog(_ kind: ChangeKind, of change: Change, for viewer: UUID?) -> Bool {
        // A deleted object comes back only as another one that was given its id, and with a later row.
        kind != .removed || change.after == nil
    }

    public func objects(
        of change: BulkVisibilityChange, limit: Int, _ context: Context
    ) async throws -> [ScopeObject] { [] }

    /// The kind of a row for a scope that includes the object before it, after it, or both; nil for neither.
    @inlinable
    public func kind(of change: Change, for viewer: UUID?, _ fold: Fold) -> ChangeKind? {
        ChangeKind(
            change.before.map { includes(change.object, $0, for: viewer, fold) } ?? false,
            change.after.map { includes(change.object, $0, for: viewer, fold) } ?? false)
    }

    /// The match of a row about the object itself; nil without a kind, and while one of the people of the change is
    /// hidden.
    @inlinable
    public func match(_ kind: ChangeKind?, of change: Change, _ fold: Fold) -> ChangeMatch? {
        guard let kind, fold.hidesNobody || !people(of: change, fold).contains(where: fold.hides) else { return nil }
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
            if let effect, effect.changesTopics { delivery.move(subscriber, by: effect) }
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

/// The meaning of a row of the log for a subscription.
public enum ChangeMatch: Sendable {
    /// The row's own object was added, changed or removed.
    case object(ChangeKind)
    /// Many objects were hidden or shown at once. The array has those among them that the subscription names.
    case bulk(BulkVisibilityChange.Cause, isHidden: Bool, [HiddenOrShownObject])
}
