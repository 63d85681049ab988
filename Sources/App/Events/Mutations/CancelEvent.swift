import GraphQL
import Postgres

/// The event remains, marked as cancelled. Cancelling it again succeeds and changes nothing.
struct CancelEvent: EventMutation {
    static let name = "cancelEvent"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.event) }

    var write: SQL {
        """
        update events set cancelled_at = date_trunc('milliseconds', now()), \
        updated_at = date_trunc('milliseconds', now()) \
        where id = \(id) and author_id = viewer_id() and cancelled_at is null
        """
    }

    var result: SQL? { Event.ownedByViewer(id) }
}
