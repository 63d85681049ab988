import GraphQL
import Postgres

extension RequestContext {
    /// True for each object that the viewer owns, and for every object if the viewer is a moderator. The role is read
    /// only if an object belongs to somebody else.
    /// - Parameter owners: the owner of each object.
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
