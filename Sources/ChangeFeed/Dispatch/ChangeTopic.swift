import Postgres

/// A key by which the subscriptions for a row of the log are found. The topics of a row follow from the row alone.
public enum ChangeTopic: Hashable, Sendable {
    /// All objects of a kind.
    case kind(ObjectKind)
    case object(ObjectID)
    /// Objects of a kind that belong to an account.
    case owner(ObjectKind, UUID)
    /// All objects with this subject.
    case subject(UUID)
    /// An object whose status changes.
    case status(ObjectID)
}

extension Change {
    var topics: [ChangeTopic] {
        var topics: [ChangeTopic] = []
        topics.reserveCapacity(5)
        topics.append(.object(object))
        topics.append(.kind(object.kind))
        if let owner = state?.owner { topics.append(.owner(object.kind, owner)) }
        if let subject = after?.subject { topics.append(.subject(subject)) }
        if let subject = before?.subject, subject != after?.subject { topics.append(.subject(subject)) }
        if changesStatus { topics.append(.status(object)) }
        return topics
    }
}
