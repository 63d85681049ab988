import GraphQL
import Postgres

struct DeleteEvent: Mutation {
    static let name = "deleteEvent"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.event) }

    var write: SQL {
        """
        with target as (select e.id, e.author_id from events e where e.id = \(id) \
        and \(Event.isVisible)), deleted as ( \
        delete from events e where e.id = \(id) and \(Event.isVisible) \
        and (e.author_id = viewer_id() or viewer_is_moderator()) returning e.id) \
        select true where case when exists (select from deleted) then true \
        when (select author_id <> viewer_id() from target) and not viewer_is_moderator() then refuse('FORBIDDEN') \
        else refuse('NOT_FOUND') end
        """
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Deleted? {
        Deleted(id: TypeID(.event, outcome.id))
    }
}
