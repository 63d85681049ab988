import Postgres

/// The differences between the events that a subscriber was sent and the log. They arise because an object's present
/// state decides too when its event is sent.
@usableFromInline
struct SentObjects: Sendable {
    /// Objects that the scope covers by the log, but that the client does not have: the viewer did not see them when
    /// ADDED was to be sent, or they left the scope unnoticed and were removed then. Their REMOVED is not sent later.
    private var withheld: Set<ObjectID> = []
    /// The blocked people of whose objects the client has none, because the end of a block was not sent: another block
    /// followed. Neither that block nor the removal of their objects is sent. The other block may have ended when an object
    /// is read. If the object is sent, its people are taken out of the set.
    private var unsentPeople: Set<UUID> = []
    /// Objects that the viewer saw when their removal was to be sent, because they had come back since. The client has
    /// them before the log's row that adds them again.
    private var early: Set<ObjectID> = []

    @inlinable
    init() { self.init(withheld: []) }

    @usableFromInline
    init(withheld: Set<ObjectID>) { self.withheld = withheld }

    @usableFromInline
    func isWithheld(_ object: ObjectID) -> Bool { withheld.contains(object) }

    /// Whether the client has the object already, before the log's row that adds it.
    @usableFromInline
    func isEarly(_ object: ObjectID) -> Bool { early.contains(object) }

    @usableFromInline
    var hasUnsentPeople: Bool { !unsentPeople.isEmpty }

    mutating func addUnsent(_ person: UUID) { unsentPeople.insert(person) }
    mutating func removeUnsent(_ person: UUID) -> Bool { unsentPeople.remove(person) != nil }

    /// True if the end of a block of one of these people was not sent.
    func isUnsent(_ people: [UUID]) -> Bool { people.contains(where: unsentPeople.contains) }

    /// The kind of event to send for a change, after its object was read.
    /// - Parameters:
    ///   - isThere: whether the viewer sees the object, and the scope covers it.
    ///   - isSeen: whether the viewer sees the object.
    ///   - isNew: whether the change was committed after the subscription began.
    ///   - isUnsent: true if the client does not have the object, because the end of a block was not sent.
    /// - Returns: nil if the client gets no event.
    mutating func kindToSend(
        _ change: MatchedChange, isThere: Bool, isSeen: Bool, canLoseObjectsSilently: Bool, isNew: Bool, isUnsent: Bool
    ) -> ChangeKind? {
        let object = change.shared.change.object
        let wasEarly = early.remove(object) != nil
        if change.kind == .removed, isThere, early.count < ChangeQueue.limit { early.insert(object) }
        switch (change.kind, isThere) {
        case (_, true):
            let isAdded = withheld.remove(object) != nil || change.kind == .added
            return isAdded ? .added : .changed
        case (.added, false):
            // An object that came before the subscription began may be known to the client, whatever its cursor; one that
            // came back early is known.
            if isNew, !wasEarly, withheld.count < ChangeQueue.limit { withheld.insert(object) }
            return nil
        case (.changed, false):
            // A bulk visibility change with the kind `changed`: all of the object's people are hidden by now.
            if change.shared.change.after == nil { return .removed }
            guard isSeen, canLoseObjectsSilently, !withheld.contains(object) else { return nil }
            // Without a place in the set, REMOVED may be sent again, which is harmless.
            if withheld.count < ChangeQueue.limit { withheld.insert(object) }
            return .removed
        case (.removed, false):
            return withheld.remove(object) == nil && !isUnsent ? .removed : nil
        }
    }
}
