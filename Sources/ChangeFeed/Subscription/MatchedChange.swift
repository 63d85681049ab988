/// A change, as one subscription is concerned. A copy differs in what is set on it: nothing is rebuilt.
public struct MatchedChange: Sendable {
    public let shared: SharedChange
    public let kind: ChangeKind
    /// Where it is not one object that has changed.
    public let bulk: BulkVisibilityChange?
    /// Where a client goes on that has got it.
    public private(set) var cursor: ChangeCursor

    @inlinable
    public init(_ shared: SharedChange, _ kind: ChangeKind, bulk: BulkVisibilityChange? = nil) {
        self.init(shared, kind, bulk, shared.cursor)
    }

    @usableFromInline
    init(_ shared: SharedChange, _ kind: ChangeKind, _ bulk: BulkVisibilityChange?, _ cursor: ChangeCursor) {
        self.shared = shared
        self.kind = kind
        self.bulk = bulk
        self.cursor = cursor
    }

    func withCursor(_ cursor: ChangeCursor) -> MatchedChange {
        var change = self
        change.cursor = cursor
        return change
    }

    /// Whether the log alone tells that the viewer sees the object no more.
    public var isLoss: Bool { kind == .removed && shared.change.after == nil }

    /// Whether it can be told in the words in which it is told to others.
    @inlinable
    public var isAsOffered: Bool { shared.isOffered && cursor == shared.cursor }
}
