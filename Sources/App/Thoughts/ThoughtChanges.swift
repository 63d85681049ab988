import ChangeFeed
import Postgres

extension ObjectKind {
    static let thought = ObjectKind(rawValue: "thought")
}

extension Change {
    /// True if the row published a thought, false if the row made a thought a draft again; nil for every other row.
    var isPublished: Bool? {
        guard object.kind == .thought, changesStatus else { return nil }
        return after?.status == ThoughtStatus.published.rawValue
    }
}
