import GraphQL
import Postgres

/// Locks the account's row before it reads the sessions, so that a session that begins meanwhile is refused or ended.
struct SuspendUser: Mutation {
    static let name = "suspendUser"

    let id: UUID
    private let environment: Environment
    private let until: Timestamp
    private let reason: ReportReason
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.user, "userId")
        environment = context.environment
        until = try input.decode("until")
        reason = try input.decode("reason")
        userErrors = until > context.environment.now() ? [] : [UserError(.inThePast, "This is over.", "until")]
    }

    static func pool(_ pools: Pools) -> Pool { worker(pools) }

    var lock: SQL? { Suspension.lock(id) }

    var write: SQL {
        """
        with suspended as (insert into suspensions (user_id, until, reason) \
        select \(id), \(until), \(reason.rawValue) where require_moderator_of(\(id)) \
        on conflict (user_id) do update set until = excluded.until, reason = excluded.reason, \
        created_at = excluded.created_at returning user_id), \
        logged as (insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id, reason, until) \
        select viewer_id(), 'SUSPENDED', 'user', user_id, user_id, \(reason.rawValue), \(until) from suspended), \
        \(EndSession.parts(ofAccount: "(select user_id from suspended)", environment)) \
        select \(unsafe: EndSession.ids)
        """
    }

    var result: SQL? { UsersByID(ids: [id]).sql }

    func committed(_ written: Rows, in context: RequestContext) throws {
        context.refuse(sessions: try written.first { $0.uuids(0) } ?? [])
    }

    static func replay(_ outcome: MutationOutcome) -> SQL? { UsersByID(ids: [outcome.id]).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> User? { row.map { User(row: $0) } }
}
