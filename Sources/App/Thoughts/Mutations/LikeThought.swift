import GraphQL
import Postgres

/// Liking a thought again succeeds and changes nothing.
struct LikeThought: ThoughtMutation {
    static let name = "likeThought"
    static let sharesCommit = true

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought, "thoughtId") }

    var write: SQL {
        """
        insert into thought_likes (thought_id, user_id) select \(id), viewer_id() \
        where exists (select from thoughts t where t.id = \(id) and \(Thought.isVisible)) \
        or refuse('NOT_FOUND') on conflict do nothing
        """
    }

    var result: SQL? { Thought.visibleToViewer(id) }
}

struct UnlikeThought: ThoughtMutation {
    static let name = "unlikeThought"
    static let sharesCommit = true

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought, "thoughtId") }

    var write: SQL {
        "delete from thought_likes where thought_id = \(id) and user_id = viewer_id() and lock_thought(thought_id)"
    }

    var result: SQL? { Thought.visibleToViewer(id) }
}
