import GraphQL
import Postgres

/// Blocking a person again succeeds and changes nothing.
struct BlockUser: Mutation {
    static let name = "blockUser"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.user, "userId") }

    var write: SQL {
        """
        insert into blocks (blocker_id, blocked_id) select viewer_id(), \(id) \
        where case when \(id) = viewer_id() then refuse('USER_ERRORS', 'NOT_ALLOWED userId') \
        else exists (select from person_to_block(\(id))) or refuse('NOT_FOUND') end on conflict do nothing
        """
    }

    /// `person_to_block` reads the person, because no other read shows a blocked person.
    var result: SQL? { "select \(unsafe: User.columns) from person_to_block(\(id)) u" }

    static func replay(_ outcome: MutationOutcome) -> SQL? {
        "select \(unsafe: User.columns) from person_to_block(\(outcome.id)) u"
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> User? { row.map { User(row: $0) } }
}

/// Deletes the block and reads the person in one statement. `person_to_block` shows a person whom the viewer has
/// blocked, even if they blocked the viewer too. After the deletion the function would not show such a person.
struct UnblockUser: Mutation {
    static let name = "unblockUser"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.user, "userId") }

    var write: SQL {
        """
        with unblocked as (delete from blocks where blocker_id = viewer_id() and blocked_id = \(id)) \
        select \(unsafe: User.columns) from (select) as one left join person_to_block(\(id)) u on true \
        where u.id is not null or refuse('NOT_FOUND')
        """
    }

    static func replay(_ outcome: MutationOutcome) -> SQL? { BlockUser.replay(outcome) }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> User? { row.map { User(row: $0) } }
}
