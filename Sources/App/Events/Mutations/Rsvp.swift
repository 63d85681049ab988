import GraphQL
import Postgres

/// A second RSVP by the same account replaces the first.
struct Rsvp: EventMutation {
    static let name = "rsvp"

    let id: UUID
    private let status: RsvpStatus

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.event, "eventId")
        status = try input.decode("status")
    }

    var write: SQL {
        """
        insert into event_rsvps as r (event_id, user_id, status) select \(id), viewer_id(), \(status.rawValue) \
        where coalesce((select e.ends_at > now() or refuse('USER_ERRORS', 'IN_THE_PAST eventId') from events e \
        where e.id = \(id)), refuse('NOT_FOUND')) \
        and coalesce((select lock_event(r.event_id) from event_rsvps r where r.event_id = \(id) \
        and r.user_id = viewer_id()), true) \
        on conflict (event_id, user_id) do update set status = excluded.status where r.status <> excluded.status
        """
    }

    var result: SQL? { Event.visibleToViewer(id) }
}

struct CancelRsvp: EventMutation {
    static let name = "cancelRsvp"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.event, "eventId") }

    var write: SQL {
        "delete from event_rsvps where event_id = \(id) and user_id = viewer_id() and lock_event(event_id)"
    }

    var result: SQL? { Event.visibleToViewer(id) }
}
