import GraphQL
import Postgres

/// The events that the viewer answered, the newest answer first.
struct RsvpEvents: Statement {
    let page: Page
    let author: AuthorColumns

    var sql: SQL {
        let bounds = page.bounds(isDescending: true)
        let direction: SQL = page.isBackward ? "asc" : "desc"
        return """
            select \(unsafe: Event.columns)\(author.columns), e.marked_at from (select e.*, r.created_at as marked_at \
            from event_rsvps r join events e on e.id = r.event_id where r.user_id = viewer_id() \
            and (r.created_at, r.event_id) > (\(Timestamp(microseconds: bounds.lower.key)), \(bounds.lower.id)) \
            and (r.created_at, r.event_id) < (\(Timestamp(microseconds: bounds.upper.key)), \(bounds.upper.id)) \
            order by r.created_at \(direction), r.event_id \(direction) \(unsafe: Page.atMost)) e\(author.join("e")) \
            order by e.marked_at \(direction), e.id \(direction) limit \(page.limit)
            """
    }

    func decode(_ row: Row) -> Event { Event(row: row, hasAuthor: author == .joined) }
}

extension RequestContext {
    /// All parents are the same account: several parents come only from aliases of `viewer`.
    func rsvpEvents(
        of viewers: [ViewerAccount], _ author: AuthorColumns, _ arguments: InputObject
    ) throws -> Pending<[Connection<Event>]> {
        let page = try Page(arguments, order: .marked)
        return start(RsvpEvents(page: page, author: author)).pending.map { rows in
            viewers.map { _ in page.connection(rows) }
        }
    }
}
