import Postgres

/// What a subscriber was told, where that differs from the log: what the object at present decides.
@usableFromInline
struct ToldObjects: Sendable {
    /// What came, and was hidden or gone when it could be told of: nobody needs to hear that it goes.
    private var untold: Set<ObjectID> = []
    /// The same of all that these people wrote, who were blocked again when the end of a block could be told of.
    private var untoldPeople: Set<UUID> = []
    /// What was there when the log had it go, as it came again: its coming has a row of its own.
    private var early: Set<ObjectID> = []

    @inlinable
    init() { self.init(untold: []) }

    @usableFromInline
    init(untold: Set<ObjectID>) { self.untold = untold }

    @usableFromInline
    func isUntold(_ object: ObjectID) -> Bool { untold.contains(object) }

    /// Whether the client has it already, though the log has it come later.
    func isEarly(_ object: ObjectID) -> Bool { early.contains(object) }

    mutating func addUntold(_ person: UUID) { untoldPeople.insert(person) }
    mutating func removeUntold(_ person: UUID) -> Bool { untoldPeople.remove(person) != nil }

    /// What to tell of a change, once the object was read.
    /// - Parameters:
    ///   - isThere: whether the viewer sees the object, and the subscription includes it.
    ///   - isSeen: whether the viewer sees the object.
    ///   - isNew: whether the change was made after the subscription had begun.
    ///   - people: whose the object is.
    /// - Returns: nil where there is nothing to tell.
    mutating func tell(
        _ change: MatchedChange, isThere: Bool, isSeen: Bool, canBeLeftUnnoticed: Bool, isNew: Bool,
        people: @autoclosure () -> [UUID]
    ) -> ChangeKind? {
        let object = change.shared.change.object
        if change.kind != .removed || !isThere {
            early.remove(object)
        } else if early.count < ChangeQueue.limit {
            early.insert(object)
        }
        switch (change.kind, isThere) {
        case (_, true):
            let isAdded = untold.remove(object) != nil || change.kind == .added
            return isAdded ? .added : .changed
        case (.added, false):
            // What came before, the client may have read, whatever its cursor.
            if isNew, untold.count < ChangeQueue.limit { untold.insert(object) }
            return nil
        case (.changed, false):
            // Nobody whom a group of people is of can be seen any more.
            if change.shared.change.after == nil { return .removed }
            guard isSeen, canBeLeftUnnoticed else { return nil }
            return untold.insert(object).inserted ? .removed : nil
        case (.removed, false):
            let isUntold = people().contains(where: untoldPeople.contains)
            return untold.remove(object) == nil && !isUntold ? .removed : nil
        }
    }
}
