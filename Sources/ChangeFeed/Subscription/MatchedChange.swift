/// A change as it concerns one subscription.
public struct MatchedChange: Sendable {
    public let shared: SharedChange
    public let kind: ChangeKind
    /// The bulk visibility change that the row is; nil if the row concerns its own object alone.
    public let bulk: BulkVisibilityChange?
    /// The cursor from which a client that has received the change resumes.
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

    public func withCursor(_ cursor: ChangeCursor) -> MatchedChange {
        var change = self
        change.cursor = cursor
        return change
    }

    /// True where the log alone shows that the viewer lost the object: the object was deleted, or a bulk visibility
    /// change hid it.
    public var isLoss: Bool { kind == .removed && shared.change.after == nil }

    /// True where the change was offered live and still has the cursor that it was offered with. Otherwise the response
    /// that others get is wrong for this subscription.
    @inlinable
    public var isAsOffered: Bool { shared.isOffered && cursor == shared.cursor }
}
