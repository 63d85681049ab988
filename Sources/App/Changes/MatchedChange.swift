/// A change, as one subscription is concerned. A copy differs in what is set on it: nothing is rebuilt.
struct MatchedChange: Sendable {
    let shared: SharedChange
    let kind: ChangeKind
    /// Where it is not one object that has changed.
    let turn: ChangeTurn?
    /// Where a client goes on that has got it.
    private(set) var cursor: ChangeCursor

    init(_ shared: SharedChange, _ kind: ChangeKind, turn: ChangeTurn? = nil) {
        self.shared = shared
        self.kind = kind
        self.turn = turn
        cursor = shared.cursor
    }

    func withCursor(_ cursor: ChangeCursor) -> MatchedChange {
        var change = self
        change.cursor = cursor
        return change
    }

    /// Whether the log alone tells that the viewer sees the object no more.
    var isLoss: Bool { kind == .removed && shared.change.after == nil }

    /// Whether it can be told in the words in which it is told to others.
    var isAsOffered: Bool { shared.isOffered && cursor == shared.cursor }
}
