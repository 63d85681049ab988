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

    /// The blocked person is read by `person_to_block`, because the policies of users hide the person from the viewer.
    var result: SQL? { "select \(unsafe: User.columns) from person_to_block(\(id)) u" }

    static func replay(_ outcome: MutationOutcome) -> SQL? {
        "select \(unsafe: User.columns) from person_to_block(\(outcome.id)) u"
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> User? { row.map { User(row: $0) } }
}

/// Deletes the block and reads the person in one statement, whose snapshot still has the block. If the person has
/// blocked the viewer too, `person_to_block` finds them only as long as the viewer's own block exists.
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
