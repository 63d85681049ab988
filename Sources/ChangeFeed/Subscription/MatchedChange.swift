/// A change as it concerns one subscription.
public struct MatchedChange: Sendable {
    public let shared: SharedChange
    public let kind: ChangeKind
    /// Whether the object has to be read in the viewer's name, because the scope or the selection asks for it. A bulk
    /// visibility change and its objects are never shared, so it is true for them.
    @usableFromInline let isPersonal: Bool
    /// The bulk visibility change that the row is; nil if the row concerns its own object alone.
    public let bulk: BulkVisibilityChange?
    /// The cursor from which a client resumes that has received the change.
    public private(set) var cursor: ChangeCursor

    @inlinable
    public init(
        _ shared: SharedChange, _ kind: ChangeKind, isPersonal: Bool = true, bulk: BulkVisibilityChange? = nil
    ) {
        self.init(shared, kind, isPersonal, bulk, shared.cursor)
    }

    @usableFromInline
    init(
        _ shared: SharedChange, _ kind: ChangeKind, _ isPersonal: Bool, _ bulk: BulkVisibilityChange?,
        _ cursor: ChangeCursor
    ) {
        self.shared = shared
        self.kind = kind
        self.isPersonal = isPersonal
        self.bulk = bulk
        self.cursor = cursor
    }

    func withCursor(_ cursor: ChangeCursor) -> MatchedChange {
        var change = self
        change.cursor = cursor
        return change
    }

    /// Whether the log alone shows that the viewer lost the object: it was deleted, or a bulk visibility change hid it.
    public var isLoss: Bool { kind == .removed && shared.change.after == nil }

    /// Whether the response to the change that others get is right for this subscription too.
    @inlinable
    public var isAsOffered: Bool { shared.isOffered && cursor == shared.cursor }
}
