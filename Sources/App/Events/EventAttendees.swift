import GraphQL
import Postgres

/// An account that answered an event. Anonymous accounts are counted but not listed.
struct Attendee: ListItem {
    let user: User
    let status: Text
    let respondedAt: Timestamp

    var sortID: UUID { user.id }
    func sortKey(in order: Cursor.Order) -> Int64 { respondedAt.microseconds }

    static var outputShape: OutputShape { User.outputShape }
    static func completeOutput(_ values: [Attendee]) -> CompletedColumn { User.completeOutput(values.map(\.user)) }
    func writeOutput(to json: inout JSONWriter) { json.writeNull() }
}

enum EventAttendees {
    static let bindings: [Binding] = ConnectionBindings.of(Attendee.self, "EventAttendee") { edge in
        edge.field("status", \.node.status)
        edge.field("createdAt", \.node.respondedAt)
    }

    static func load(
        _ events: [UUID], _ context: FieldContext<RequestContext>
    ) throws -> Pending<[ListPage<Attendee>]> {
        let page = try Page(context.arguments, order: .created)
        let status: RsvpStatus? = try context.arguments.decode("status")
        return context.context.start(AttendeesOfEvents(events: events, status: status, page: page)).pending
            .map { page.lists($0, parents: events.count) }
    }
}

struct AttendeesOfEvents: Statement {
    let events: [UUID]
    let status: RsvpStatus?
    let page: Page

    var sql: SQL {
        let list = KeysetList(
            page, by: .init("r.created_at", "r.user_id"), as: .init("page.created_at", "page.user_id"))
        let condition: SQL = status.map { " and r.status = \($0.rawValue)" } ?? ""
        return list.pages(
            "\(unsafe: User.columnsOfPage), page.status, page.created_at", ofEach: events,
            from: """
                select r.user_id, r.status, r.created_at, \(unsafe: User.columnsForPage) \
                from event_rsvps r join users u on u.id = r.user_id \
                where r.event_id = parent.id and not u.is_anonymous\(condition) and \(list.bounds)
                """, as: "page")
    }

    func decode(_ row: Row) -> (parent: Int, item: Attendee) {
        (
            Int(row.int64(9)) - 1,
            Attendee(user: User(row: row), status: row.text(7), respondedAt: row.timestamp(8))
        )
    }
}
