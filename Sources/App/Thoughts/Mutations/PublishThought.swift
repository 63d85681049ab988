import GraphQL
import Postgres

/// A thought that is published already stays as it is.
struct PublishThought: Mutation {
    static let name = "publishThought"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought) }

    var write: SQL {
        """
        update thoughts set status = 'PUBLISHED', published_at = date_trunc('milliseconds', now()) \
        where id = \(id) and author_id = viewer_id() and status = 'DRAFT'
        """
    }

    var result: SQL? { Thought.ownedByViewer(id) }

    static func replay(_ outcome: MutationOutcome) -> SQL? { ThoughtByID(id: outcome.id).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Thought? { row.map { Thought(row: $0) } }
}

/// Back to a draft, which its author alone sees.
struct UnpublishThought: Mutation {
    static let name = "unpublishThought"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought) }

    var write: SQL {
        """
        update thoughts set status = 'DRAFT', published_at = null \
        where id = \(id) and author_id = viewer_id() and status = 'PUBLISHED'
        """
    }

    var result: SQL? { Thought.ownedByViewer(id) }

    static func replay(_ outcome: MutationOutcome) -> SQL? { ThoughtByID(id: outcome.id).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Thought? { row.map { Thought(row: $0) } }
}
