import GraphQL
import Postgres

extension RequestContext {
    /// Owners, and moderators; the roles are asked for only where somebody else's object is among them.
    func viewerCanDelete(_ owners: [UUID]) -> Pending<[Bool]> {
        guard let viewer else { return Pending(owners.map { _ in false }) }
        if owners.allSatisfy({ $0 == viewer.userID }) { return Pending(owners.map { _ in true }) }
        return start(ViewerIsModerator()).pending.map { isModerator in
            owners.map { $0 == viewer.userID || isModerator.first == true }
        }
    }
}

struct ViewerIsModerator: Statement {
    var sql: SQL { "select viewer_is_moderator()" }

    func decode(_ row: Row) -> Bool { row.bool(0) }
}
