import Postgres

/// The differences between the events that a subscriber was sent and the log. They arise because an event depends on
/// the log and also on the object's state at the time when the event is sent.
@usableFromInline
struct SentObjects: Sendable {
    /// Objects that the scope covers by the log, but that the client does not have: the viewer did not see them when
    /// ADDED was to be sent, or they left the scope unnoticed and were removed then. Their REMOVED is not sent later.
    private var withheld: Set<ObjectID> = []
    /// The blocked people for whom the end of a block was not sent, because another block followed. Nothing about their
    /// objects is sent until that block, which is not sent either.
    private var unsentPeople: Set<UUID> = []
    /// Objects that the viewer saw when their removal was to be sent, because they had come back since. The client has
    /// them before the log's row that adds them again.
    private var early: Set<ObjectID> = []
    /// Objects of which the last changes were not sent, because the viewer did not see the object, and the position of
    /// the first of these changes. The log may have the row that adds such an object after them.
    private var unsentSince: [ObjectID: ChangePosition] = [:]

    @inlinable
    init() { self.init(withheld: []) }

    @usableFromInline
    init(withheld: Set<ObjectID>) { self.withheld = withheld }

    /// True where the events of the object do not follow from the log alone.
    @usableFromInline
    func tracks(_ object: ObjectID) -> Bool {
        withheld.contains(object) || early.contains(object) || unsentSince[object] != nil
    }

    /// True where the client has the object already, before the log's row that adds it.
    func isEarly(_ object: ObjectID) -> Bool { early.contains(object) }

    mutating func addUnsent(_ person: UUID) { unsentPeople.insert(person) }
    mutating func removeUnsent(_ person: UUID) -> Bool { unsentPeople.remove(person) != nil }

    /// The kind of event to send for a change, after its object was read.
    /// - Parameters:
    ///   - isThere: whether the viewer sees the object, and the scope covers it.
    ///   - isSeen: whether the viewer sees the object.
    ///   - isNew: whether the change is known to have been made after the subscription began.
    ///   - overtaking: the first change of the object that was written after this one, but came before it; nil if there
    ///     is none.
    ///   - people: the people of the change.
    /// - Returns: nil if the client gets no event.
    mutating func kindToSend(
        _ change: MatchedChange, isThere: Bool, isSeen: Bool, canLoseObjectsSilently: Bool, isNew: Bool,
        overtaking: ChangePosition?, people: @autoclosure () -> [UUID]
    ) -> ChangeKind? {
        let logged = change.shared.change
        let unsent = unsentSince.removeValue(forKey: logged.object)
        let isKnown = overtaking.map { overtaking in unsent.map { $0 > overtaking } ?? true } ?? false
        let kind = kindToSend(
            change, isThere: isThere, isSeen: isSeen, canLoseObjectsSilently: canLoseObjectsSilently,
            isNew: isNew && !isKnown, people: people())
        if kind == nil, change.kind == .changed {
            if unsentSince.count >= ChangeQueue.limit { unsentSince = [:] }
            unsentSince[logged.object] = unsent ?? logged.position
        }
        return kind
    }

    /// - Parameter isNew: whether the change is known to have been made after the subscription began, and no event of
    ///   the object was sent before.
    private mutating func kindToSend(
        _ change: MatchedChange, isThere: Bool, isSeen: Bool, canLoseObjectsSilently: Bool, isNew: Bool,
        people: @autoclosure () -> [UUID]
    ) -> ChangeKind? {
        let object = change.shared.change.object
        // The object may be visible by now, because the next block has ended, too. The end of the next block will add
        // all of the person's objects that are in the scope then. The removal of an object that has left the scope by
        // then is not sent, so an object that is sent now would stay with the client.
        if !unsentPeople.isEmpty, people().contains(where: unsentPeople.contains) { return nil }
        let wasEarly = early.remove(object) != nil
        if change.kind == .removed, isThere, early.count < ChangeQueue.limit { early.insert(object) }
        switch (change.kind, isThere) {
        case (_, true):
            let isAdded = withheld.remove(object) != nil || change.kind == .added
            return isAdded ? .added : .changed
        case (.added, false):
            // An object that was added before the subscription began may be known to the client from a query, even if
            // the client's cursor is older. An object that came back early is known to the client, and so is one of
            // which a later change was sent before.
            if isNew, !wasEarly, withheld.count < ChangeQueue.limit { withheld.insert(object) }
            return nil
        case (.changed, false):
            // Without a state after it, the change is a bulk one that hid one of the object's several people. By now
            // all of them are hidden.
            if change.shared.change.after == nil { return .removed }
            guard isSeen, canLoseObjectsSilently else { return nil }
            return withheld.insert(object).inserted ? .removed : nil
        case (.removed, false): return withheld.remove(object) == nil ? .removed : nil
        }
    }
}
