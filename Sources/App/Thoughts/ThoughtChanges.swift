import ChangeFeed
import Postgres

extension ObjectKind {
    static let thought = ObjectKind(rawValue: "thought")
}

extension Change {
    /// Whether a thought is published now, where it was not before, or the other way round; nil for every other row.
    var isPublished: Bool? {
        guard object.kind == .thought, changesStatus else { return nil }
        return after?.status == ThoughtStatus.published.rawValue
    }
}
