import GraphQL
import Postgres

/// Publishing a published thought changes nothing.
struct PublishThought: ThoughtMutation {
    static let name = "publishThought"
    static let isAuthorship = true

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought) }

    var write: SQL {
        """
        update thoughts set status = 'PUBLISHED', published_at = date_trunc('milliseconds', now()) \
        where id = \(id) and author_id = viewer_id() and status = 'DRAFT'
        """
    }

    var result: SQL? { Thought.ownedByViewer(id) }
}

/// Makes a thought a draft again, which only its author sees.
struct UnpublishThought: ThoughtMutation {
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
}
