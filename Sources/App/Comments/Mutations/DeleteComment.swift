import GraphQL
import Postgres

struct DeleteComment: Mutation {
    static let name = "deleteComment"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.comment) }

    var outcome: SQL {
        """
        jsonb_build_object('id', \(id), 'subject', (select coalesce(thought_id, event_id) from comments where id = \(id)))
        """
    }

    var write: SQL {
        """
        with target as (select c.id, c.author_id from comments c where c.id = \(id) \
        and \(Comment.isVisible)), deleted as ( \
        delete from comments c where c.id = \(id) and \(Comment.isVisible) \
        and (c.author_id = viewer_id() or viewer_is_moderator()) and lock_subject(c.thought_id, c.event_id) \
        returning c.thought_id, c.event_id) \
        select (select thought_id from deleted), (select event_id from deleted) \
        where case when exists (select from deleted) then true \
        when (select author_id <> viewer_id() from target) and not viewer_is_moderator() then refuse('FORBIDDEN') \
        else refuse('NOT_FOUND') end
        """
    }

    static func replay(_ outcome: MutationOutcome) -> SQL? {
        """
        select (select id from thoughts where id = \(outcome.subject)), \
        (select id from events where id = \(outcome.subject))
        """
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Deleted? {
        let thought = row?.uuid(optional: 0).map { TypeID(.thought, $0) }
        return Deleted(
            id: TypeID(.comment, outcome.id), subject: thought ?? row?.uuid(optional: 1).map { TypeID(.event, $0) })
    }
}
