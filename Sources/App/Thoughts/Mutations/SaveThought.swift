import GraphQL
import Postgres

/// Saving a thought again succeeds and changes nothing.
struct SaveThought: ThoughtMutation {
    static let name = "saveThought"
    static let sharesCommit = true

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought, "thoughtId") }

    var write: SQL {
        """
        insert into thought_saves (thought_id, user_id) select \(id), viewer_id() \
        where exists (select from thoughts t where t.id = \(id) and \(Thought.isVisible)) \
        or refuse('NOT_FOUND') on conflict do nothing
        """
    }

    var result: SQL? { Thought.visibleToViewer(id) }
}

struct UnsaveThought: ThoughtMutation {
    static let name = "unsaveThought"
    static let sharesCommit = true

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought, "thoughtId") }

    var write: SQL {
        "delete from thought_saves where thought_id = \(id) and user_id = viewer_id() and lock_thought(thought_id)"
    }

    var result: SQL? { Thought.visibleToViewer(id) }
}
