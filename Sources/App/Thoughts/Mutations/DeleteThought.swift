import GraphQL
import Postgres

struct DeleteThought: Mutation {
    static let name = "deleteThought"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought) }

    var write: SQL {
        """
        with target as (select id, author_id from thoughts where id = \(id)), deleted as ( \
        delete from thoughts where id = \(id) and (author_id = viewer_id() or viewer_is_moderator()) returning id) \
        select true where case when exists (select from deleted) then true \
        when (select author_id <> viewer_id() from target) and not viewer_is_moderator() then refuse('FORBIDDEN') \
        else refuse('NOT_FOUND') end
        """
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Deleted? {
        Deleted(id: TypeID(.thought, outcome.id))
    }
}
