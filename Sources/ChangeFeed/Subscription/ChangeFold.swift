import Postgres

/// What a subscriber folds over the log, row by row, to know at each place of the log what its viewer sees: which
/// conversations it is in, whom it blocked.
public protocol ChangeFold: Sendable {
    /// Where the rows are found that it folds, as of now.
    var topics: [ChangeTopic] { get }

    /// - Returns: nil where the row changes nothing.
    mutating func apply(_ change: Change) -> FoldEffect?

    /// Whether nobody is hidden from the viewer, at this place of the log or beyond it.
    var hidesNobody: Bool { get }
    /// Whether what belongs to this person is hidden from the viewer.
    func hides(_ person: UUID) -> Bool
    /// Whether the person is hidden at this place of the log, or beyond it as far as is known.
    func willHide(_ person: UUID) -> Bool
    /// Whether the change was made after the fold was loaded, when the subscription had begun.
    func wasLoaded(before change: Change) -> Bool
}

/// A fold that hides nobody.
extension ChangeFold {
    public var hidesNobody: Bool { true }
    public func hides(_ person: UUID) -> Bool { false }
    public func willHide(_ person: UUID) -> Bool { hides(person) }
    public func wasLoaded(before change: Change) -> Bool { false }
}

/// A fold that is the same for all scopes of a viewer.
public protocol LoadableFold<Context>: ChangeFold {
    associatedtype Context: ChangeContext

    /// As it was at a position of the log.
    static func load(at position: ChangePosition, for context: Context) async throws -> Self
}

/// What a row of the log did to a fold.
public struct FoldEffect: Sendable {
    /// Topics that the subscriber hears of from now on, and no more.
    public var joined: [ChangeTopic] = []
    public var left: [ChangeTopic] = []
    /// The person whom the row hides from the viewer, or shows again.
    public var person: UUID?
    /// Objects that it hides or shows, in order.
    public var objects: [TurnedObject] = []
    /// Whether these are hidden from now on.
    public var isHidden = false
    /// Of the row's own object, where the fold follows that: whether the viewer saw it before, and sees it now.
    public var sight: (before: Bool, after: Bool)?

    public init() {}

    @inlinable
    var movesTopics: Bool { !joined.isEmpty || !left.isEmpty }
}

/// An object that was hidden or shown, as the log had it.
public struct TurnedObject: Sendable {
    public let id: ObjectID
    public let state: ChangeState?

    public init(_ id: ObjectID, _ state: ChangeState?) {
        self.id = id
        self.state = state
    }
}

/// The folds of one request at one position, each loaded once for all scopes.
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

/// For a scope that what others do changes nothing for.
public struct NoFold: ChangeFold {
    public init() {}

    public var topics: [ChangeTopic] { [] }
    public mutating func apply(_ change: Change) -> FoldEffect? { nil }
}
