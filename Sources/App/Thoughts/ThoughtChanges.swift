import ChangeFeed
import Postgres

extension ObjectKind {
    static let thought = ObjectKind(rawValue: "thought")
}

extension Change {
    /// Whether this row published a thought (true) or made it a draft again (false); nil for every other row.
    var isPublished: Bool? {
        guard object.kind == .thought, changesStatus else { return nil }
        return after?.status == ThoughtStatus.published.rawValue
    }
}
