import GraphQL

/// The kind of an event about an object in a subscription.
public enum ChangeKind: String, LeafValue, CaseIterable {
    case added = "ADDED"
    case changed = "CHANGED"
    case removed = "REMOVED"

    /// The kind of a change, given whether the subscription included the object before the change and includes it
    /// after; nil if neither.
    @inlinable
    public init?(_ before: Bool, _ after: Bool) {
        switch (before, after) {
        case (false, true): self = .added
        case (true, true): self = .changed
        case (true, false): self = .removed
        case (false, false): return nil
        }
    }

    /// The kind for two scopes together, given the kind for each. A scope for which the client gets no event has nil.
    /// An object that leaves one scope and enters the other is changed.
    public static func union(_ one: ChangeKind?, _ other: ChangeKind?) -> ChangeKind? {
        guard let one, let other else { return one ?? other }
        return one == other ? one : .changed
    }
}
