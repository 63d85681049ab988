import GraphQL
import Postgres

/// Liking twice is liking once.
struct LikeThought: Mutation {
    static let name = "likeThought"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought, "thoughtId") }

    var write: SQL {
        """
        insert into thought_likes (thought_id, user_id) select \(id), viewer_id() \
        where exists (select from thoughts where id = \(id)) or refuse('NOT_FOUND') on conflict do nothing
        """
    }

    var result: SQL? { Thought.visibleToViewer(id) }

    static func replay(_ outcome: MutationOutcome) -> SQL? { ThoughtByID(id: outcome.id).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Thought? { row.map { Thought(row: $0) } }
}

struct UnlikeThought: Mutation {
    static let name = "unlikeThought"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought, "thoughtId") }

    var write: SQL { "delete from thought_likes where thought_id = \(id) and user_id = viewer_id()" }

    var result: SQL? { Thought.visibleToViewer(id) }

    static func replay(_ outcome: MutationOutcome) -> SQL? { ThoughtByID(id: outcome.id).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Thought? { row.map { Thought(row: $0) } }
}

extension Thought {
    static func visibleToViewer(_ id: UUID) -> SQL {
        """
        select \(unsafe: columns) from (select) as one left join thoughts t on t.id = \(id) \
        where t.id is not null or refuse('NOT_FOUND')
        """
    }
}
