import Postgres

/// State that a subscriber keeps by applying the rows of the log in order. It decides what the viewer sees at each
/// position of the log: for example the viewer's memberships and blocks.
public protocol ChangeFold: Sendable {
    /// The topics of the rows that the fold has to apply in its current state.
    var topics: [ChangeTopic] { get }

    /// Applies a row of the log.
    /// - Returns: nil if the row changes nothing.
    mutating func apply(_ change: Change) -> FoldEffect?

    /// Whether nobody is hidden from the viewer, neither at the fold's position nor by a newer row that was known when
    /// the fold was loaded.
    var hidesNobody: Bool { get }
    /// Whether the person's objects are hidden from the viewer at the fold's position.
    func hides(_ person: UUID) -> Bool
    /// Whether the person is hidden at the fold's position, or by a newer row that was known when the fold was loaded.
    func willHide(_ person: UUID) -> Bool
    /// Whether the change was committed when the fold was loaded. A change that was not is newer than all that the client
    /// read before its subscription began. nil for a fold that was not loaded, as for a client that is signed out.
    func wasCommitted(_ change: Change) -> Bool?
}

/// The defaults are those of a fold that hides nobody.
extension ChangeFold {
    public var hidesNobody: Bool { true }
    public func hides(_ person: UUID) -> Bool { false }
    public func willHide(_ person: UUID) -> Bool { hides(person) }
    public func wasCommitted(_ change: Change) -> Bool? { nil }
}

extension ChangeFold {
    /// Whether the client may have read an object before a block hid it.
    /// - Parameters:
    ///   - entry: the row that added the object. It stands behind the block's row in the log.
    ///   - block: the block's row.
    public func mayHave(_ entry: Change, hiddenBy block: Change) -> Bool {
        if wasCommitted(entry) == false { return false }
        guard wasCommitted(block) == true else { return true }
        // The order of their commits is not known. The numbers tell which of the two was written first.
        return entry.position.row < block.position.row
    }
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
    /// Whether `person` and `objects` are hidden from now on; otherwise they are shown.
    public var isHidden = false
    /// Whether the viewer saw the row's own object before the row, and sees it after; nil if the fold does not track
    /// that object.
    public var visibility: (before: Bool, after: Bool)?

    public init() {}

    @inlinable
    var changesTopics: Bool { !joined.isEmpty || !left.isEmpty }
}

/// An object that was hidden or shown, with its last state in the log.
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

/// The fold of a scope in which no other row of the log changes what the viewer sees.
public struct NoFold: ChangeFold {
    public init() {}

    public var topics: [ChangeTopic] { [] }
    public mutating func apply(_ change: Change) -> FoldEffect? { nil }
}
