import GraphQL
import Postgres

struct DeleteMessage: Mutation {
    static let name = "deleteMessage"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.message) }

    var outcome: SQL {
        """
        jsonb_build_object('id', \(id), 'subject', (select conversation_id from messages where id = \(id)))
        """
    }

    var write: SQL {
        """
        with target as (select m.author_id from messages m join conversation_members p \
        on p.conversation_id = m.conversation_id where m.id = \(id) and \(unsafe: Conversation.isViewers) \
        and \(unsafe: Message.isVisible)), deleted as ( \
        delete from messages m using conversation_members p where m.id = \(id) and m.author_id = viewer_id() \
        and p.conversation_id = m.conversation_id and \(unsafe: Conversation.isViewers) \
        and \(unsafe: Message.isVisible) returning m.conversation_id) \
        select (select conversation_id from deleted) \
        where case when exists (select from deleted) then true \
        when exists (select from target where author_id is distinct from viewer_id()) then refuse('FORBIDDEN') \
        else refuse('NOT_FOUND') end
        """
    }

    static func replay(_ outcome: MutationOutcome) -> SQL? { "select \(outcome.subject)::uuid" }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Deleted? {
        Deleted(
            id: TypeID(.message, outcome.id), subject: row?.uuid(optional: 0).map { TypeID(.conversation, $0) })
    }
}
