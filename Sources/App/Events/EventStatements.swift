import GraphQL
import Postgres

struct EventsByID: Statement {
    let ids: [UUID]
    var author = AuthorColumns.omitted

    var sql: SQL {
        "select \(unsafe: Event.columns)\(author.columns) from events e\(author.join("e")) where e.id = any(\(ids))"
    }

    func decode(_ row: Row) -> Event { Event(row: row, hasAuthor: author == .joined) }
}

struct EventFilter: Sendable, InputObjectDecodable {
    var authorID: UUID?
    var startsAfter: Timestamp?
    var startsBefore: Timestamp?
    var endsAfter: Timestamp?

    init(authorID: UUID? = nil) { self.authorID = authorID }

    init(input: InputObject) throws {
        authorID = try input.reference(.user, "authorId")
        startsAfter = try input.decode("startsAfter")
        startsBefore = try input.decode("startsBefore")
        endsAfter = try input.decode("endsAfter")
    }
}

/// Events in the order of their start, or newest first for the feed.
struct EventsPage: Statement {
    let filter: EventFilter
    let page: Page
    var author = AuthorColumns.omitted

    var sql: SQL {
        let isFeed = page.order == .newest
        let list = KeysetList(page, by: .init(isFeed ? "e.created_at" : "e.starts_at", "e.id"), isDescending: isFeed)
        return list.page(
            "\(unsafe: Event.columns)\(author.columns)",
            from: "select * from events e where \(list.bounds)\(conditions)", as: "e", joining: author.join("e"))
    }

    private var conditions: SQL {
        var conditions: SQL = ""
        if let id = filter.authorID { conditions = "\(conditions) and e.author_id = \(id)" }
        if let instant = filter.startsAfter { conditions = "\(conditions) and e.starts_at >= \(instant)" }
        if let instant = filter.startsBefore { conditions = "\(conditions) and e.starts_at < \(instant)" }
        if let instant = filter.endsAfter { conditions = "\(conditions) and e.ends_at > \(instant)" }
        return conditions
    }

    func decode(_ row: Row) -> Event { Event(row: row, hasAuthor: author == .joined) }
}

/// The events of several authors, a page of each, in the order of their start.
struct EventsOfAuthors: Statement {
    let authors: [UUID]
    let page: Page

    var sql: SQL {
        let list = KeysetList(page, by: .init("e.starts_at", "e.id"), isDescending: false)
        return list.pages(
            "\(unsafe: Event.columns)", ofEach: authors,
            from: "select * from events e where e.author_id = parent.id and \(list.bounds)", as: "e")
    }

    func decode(_ row: Row) -> (parent: Int, item: Event) {
        (Int(row.int64(Event.columnTypes.count)) - 1, Event(row: row))
    }
}

struct ViewerRsvps: Statement {
    let viewer: UUID
    let ids: [UUID]

    var sql: SQL {
        "select event_id, status from event_rsvps where user_id = \(viewer) and event_id = any(\(ids))"
    }

    func decode(_ row: Row) -> (event: UUID, status: Text) { (row.uuid(0), row.text(1)) }
}
