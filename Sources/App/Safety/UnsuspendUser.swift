import GraphQL
import Postgres

/// Lifting the suspension of an account that is not suspended changes nothing.
struct UnsuspendUser: Mutation {
    static let name = "unsuspendUser"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.user, "userId") }

    static func pool(_ pools: Pools) -> Pool { worker(pools) }

    var lock: SQL? { Suspension.lock(id) }

    var write: SQL {
        """
        with lifted as (delete from suspensions where user_id = \(id) and require_moderator_of(\(id)) returning *), \
        logged as (insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id, reason, until) \
        select viewer_id(), 'UNSUSPENDED', 'user', user_id, user_id, reason, until from lifted where until > now()) \
        select where require_moderator_of(\(id))
        """
    }

    var result: SQL? { UsersByID(ids: [id]).sql }

    static func replay(_ outcome: MutationOutcome) -> SQL? { UsersByID(ids: [outcome.id]).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> User? { row.map { User(row: $0) } }
}
