import GraphQL
import Postgres

/// Each share is counted, even if the account has shared the thought before. A draft cannot be shared, because it has
/// no public page.
struct ShareThought: Mutation {
    static let name = "shareThought"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought, "thoughtId") }

    var write: SQL {
        """
        insert into thought_shares (thought_id, user_id) select \(id), viewer_id() \
        where coalesce((select t.status = 'PUBLISHED' or refuse('USER_ERRORS', 'NOT_ALLOWED thoughtId') \
        from thoughts t where t.id = \(id) and \(Thought.isVisible)), refuse('NOT_FOUND'))
        """
    }

    var result: SQL? { Thought.visibleToViewer(id) }

    static func replay(_ outcome: MutationOutcome) -> SQL? { ThoughtByID(id: outcome.id).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> SharedThought? {
        row.map { SharedThought(thought: Thought(row: $0)) }
    }
}

struct SharedThought: ObjectValue {
    let thought: Thought

    static let payload: Binding = ObjectBinding<Payload<SharedThought>, RequestContext>("ShareThoughtPayload") {
        $0.field("thought", \.object?.thought)
        $0.field("url") { payload, context in
            payload.object.map { ThoughtPage.address(of: $0.thought.id, context.context.environment) }
        }
        $0.payloadFields()
    }
}
