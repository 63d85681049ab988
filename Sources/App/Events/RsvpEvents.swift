import GraphQL
import Postgres

/// The events that the viewer answered, the newest answer first.
struct RsvpEvents: Statement {
    let page: Page
    let author: AuthorColumns

    var sql: SQL {
        let list = KeysetList(page, by: .init("r.created_at", "r.event_id"), as: .init("e.marked_at", "e.id"))
        return list.page(
            "\(unsafe: Event.columns)\(author.columns), e.marked_at",
            from: """
                select e.*, r.created_at as marked_at from event_rsvps r join events e on e.id = r.event_id \
                where r.user_id = viewer_id() and \(list.bounds)
                """, as: "e", joining: author.join("e"))
    }

    func decode(_ row: Row) -> Event { Event(row: row, hasAuthor: author == .joined, sortType: .timestamptz) }
}

extension RequestContext {
    /// All parents are the same account: several parents come only from aliases of `viewer`.
    func rsvpEvents(
        of viewers: [ViewerAccount], _ author: AuthorColumns, _ arguments: InputObject
    ) throws -> Pending<[ListPage<Event>]> {
        let page = try Page(arguments, order: .marked)
        return start(RsvpEvents(page: page, author: author)).pending.map { rows in
            viewers.map { _ in page.list(rows) }
        }
    }
}
