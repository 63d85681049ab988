import Postgres

/// State that a subscriber keeps by applying the rows of the log in order. It decides what the viewer sees at each
/// position of the log: for example the viewer's memberships and blocks.
public protocol ChangeFold: Sendable {
    /// The topics of the rows that the fold has to apply in its current state.
    var topics: [ChangeTopic] { get }

    /// Applies a row of the log.
    /// - Returns: nil if the row changes nothing.
    mutating func apply(_ change: Change) -> FoldEffect?

    /// True where nobody is hidden from the viewer, neither at the fold's position nor by a newer row that was known
    /// when the fold was loaded.
    var hidesNobody: Bool { get }
    /// True where the person's objects are hidden from the viewer at the fold's position.
    func hides(_ person: UUID) -> Bool
    /// True where the person is hidden at the fold's position, or by a newer row that was known when the fold was
    /// loaded.
    func willHide(_ person: UUID) -> Bool
    /// True where the change is known to have been made after the fold was loaded, and so after the subscription began.
    /// The change of a transaction that was running when the fold was loaded may count as earlier.
    func wasLoaded(before change: Change) -> Bool
}

/// The defaults are those of a fold that hides nobody.
extension ChangeFold {
    public var hidesNobody: Bool { true }
    public func hides(_ person: UUID) -> Bool { false }
    public func willHide(_ person: UUID) -> Bool { hides(person) }
    public func wasLoaded(before change: Change) -> Bool { false }
}

/// A fold that is the same for all scopes of a viewer, and can be loaded for any position.
public protocol LoadableFold<Context>: ChangeFold {
    associatedtype Context: ChangeContext

    /// Loads the fold as it was at a position of the log.
    static func load(at position: ChangePosition, for context: Context) async throws -> Self
}

/// The effect of a row of the log on a fold.
public struct FoldEffect: Sendable {
    /// The topics that the subscriber joins with the row, and those that it leaves.
    public var joined: [ChangeTopic] = []
    public var left: [ChangeTopic] = []
    /// The person whom the row hides from the viewer, or shows again.
    public var person: UUID?
    /// The objects that the row hides or shows, in order.
    public var objects: [HiddenOrShownObject] = []
    /// True where `person` and `objects` are hidden from now on, false where they are shown.
    public var isHidden = false
    /// The visibility of the row's own object to the viewer, before and after the row; nil if the fold does not track
    /// that object.
    public var visibility: (before: Bool, after: Bool)?

    public init() {}

    @inlinable
    var changesTopics: Bool { !joined.isEmpty || !left.isEmpty }
}

/// An object that a row of the log hid or showed, with its state after the row; nil where the fold has no state of it.
public struct HiddenOrShownObject: Sendable {
    public let id: ObjectID
    public let state: ChangeState?

    public init(_ id: ObjectID, _ state: ChangeState?) {
        self.id = id
        self.state = state
    }
}

/// The folds of one request at one position; each is loaded once for all scopes.
public final class FoldLoader<Context: ChangeContext> {
    public let context: Context
    public let position: ChangePosition
    private var loaded: [any ChangeFold] = []

    public init(_ context: Context, at position: ChangePosition) {
        self.context = context
        self.position = position
    }

    public func load<Fold: LoadableFold<Context>>(_ type: Fold.Type) async throws -> Fold {
        for case let fold as Fold in loaded { return fold }
        let fold = try await Fold.load(at: position, for: context)
        loaded.append(fold)
        return fold
    }
}

/// The fold of a scope in which only the rows of its own objects change what the viewer sees.
public struct NoFold: ChangeFold {
    public init() {}

    public var topics: [ChangeTopic] { [] }
    public mutating func apply(_ change: Change) -> FoldEffect? { nil }
}
