import GraphQL
import Postgres

/// A second RSVP by the same account replaces the first.
struct Rsvp: EventMutation {
    static let name = "rsvp"
    static let sharesCommit = true

    let id: UUID
    private let status: RsvpStatus

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.event, "eventId")
        status = try input.decode("status")
    }

    /// Locks the account, then the event, then the RSVP's row, to avoid two deadlocks. With the row before the event,
    /// another transaction could hold the event and wait for the row, while this one waits for the event. Without
    /// `lock_viewer`, the row's foreign key would lock the account after the event. The account's deletion could then
    /// hold the account and wait for the event, while this transaction waits for the account.
    var write: SQL {
        """
        insert into event_rsvps as r (event_id, user_id, status) select \(id), viewer_id(), \(status.rawValue) \
        where coalesce((select refuse_user_errors(array[ \
        case when e.ends_at <= now() then 'IN_THE_PAST eventId' end, \
        case when e.cancelled_at is not null then 'NOT_ALLOWED eventId' end]) from events e \
        where e.id = \(id) and \(Event.isVisible)), refuse('NOT_FOUND')) \
        and case when lock_viewer() then lock_event(\(id)) end \
        on conflict (event_id, user_id) do update set status = excluded.status where r.status <> excluded.status
        """
    }

    var result: SQL? { Event.visibleToViewer(id) }
}

struct CancelRsvp: EventMutation {
    static let name = "cancelRsvp"
    static let sharesCommit = true

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.event, "eventId") }

    var write: SQL {
        "delete from event_rsvps where event_id = \(id) and user_id = viewer_id() and lock_event(event_id)"
    }

    var result: SQL? { Event.visibleToViewer(id) }
}
