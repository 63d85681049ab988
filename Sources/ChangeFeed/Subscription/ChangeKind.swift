import GraphQL

/// The kind of an event about an object in a subscription.
public enum ChangeKind: String, LeafValue, CaseIterable {
    case added = "ADDED"
    case changed = "CHANGED"
    case removed = "REMOVED"

    /// The kind of a change, from whether the subscription included the object before and does now; nil if it did
    /// neither.
    @inlinable
    public init?(_ before: Bool, _ after: Bool) {
        switch (before, after) {
        case (false, true): self = .added
        case (true, true): self = .changed
        case (true, false): self = .removed
        case (false, false): return nil
        }
    }
}
