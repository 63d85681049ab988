import GraphQL
import Postgres

struct DeleteThought: Mutation {
    static let name = "deleteThought"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought) }

    var write: SQL {
        """
        with target as (select t.id, t.author_id from thoughts t where t.id = \(id) \
        and \(Thought.isVisible)), deleted as ( \
        delete from thoughts t where t.id = \(id) and \(Thought.isVisible) \
        and (t.author_id = viewer_id() or viewer_is_moderator()) returning t.id) \
        select true where case when exists (select from deleted) then true \
        when (select author_id <> viewer_id() from target) and not viewer_is_moderator() then refuse('FORBIDDEN') \
        else refuse('NOT_FOUND') end
        """
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Deleted? {
        Deleted(id: TypeID(.thought, outcome.id))
    }
}
