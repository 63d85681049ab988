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
        let key: StaticString = isFeed ? "e.created_at" : "e.starts_at"
        let bounds = page.bounds(isDescending: isFeed)
        let direction: SQL = isFeed == page.isBackward ? "asc" : "desc"
        return """
            select \(unsafe: Event.columns)\(author.columns) from (select * from events e where \
            (\(unsafe: key), e.id) > (\(Timestamp(microseconds: bounds.lower.key)), \(bounds.lower.id)) \
            and (\(unsafe: key), e.id) < (\(Timestamp(microseconds: bounds.upper.key)), \(bounds.upper.id))\
            \(conditions) order by \(unsafe: key) \(direction), e.id \(direction) \(unsafe: Page.atMost)) e\
            \(author.join("e")) order by \(unsafe: key) \(direction), e.id \(direction) limit \(page.limit)
            """
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
        let bounds = page.bounds(isDescending: false)
        let direction: SQL = page.isBackward ? "desc" : "asc"
        return """
            select \(unsafe: Event.columns), parent.n from unnest(\(authors)) with ordinality as parent (id, n) \
            cross join lateral (select * from (select * from events e where e.author_id = parent.id \
            and (e.starts_at, e.id) > (\(Timestamp(microseconds: bounds.lower.key)), \(bounds.lower.id)) \
            and (e.starts_at, e.id) < (\(Timestamp(microseconds: bounds.upper.key)), \(bounds.upper.id)) \
            order by e.starts_at \(direction), e.id \(direction) \(unsafe: Page.atMost)) e \
            order by e.starts_at \(direction), e.id \(direction) limit \(page.limit)) e \
            order by parent.n, e.starts_at \(direction), e.id \(direction)
            """
    }

    func decode(_ row: Row) -> (parent: Int, item: Event) {
        (Int(row.int64(Event.columnCount)) - 1, Event(row: row))
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
