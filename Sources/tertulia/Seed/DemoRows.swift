import Postgres

/// A row of demo data for `copy … (format binary)`.
protocol DemoRow: Sendable {
    static var table: String { get }
    static var copy: SQL { get }
    func write(to writer: inout CopyWriter) throws
}

struct DemoUser: DemoRow, Equatable {
    let id: UUID
    let username: String
    let displayName: String
    let createdAt: Timestamp

    static let table = "users"

    static var copy: SQL { "copy users (id, username, display_name, created_at) from stdin (format binary)" }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 4)
        writer.write(column: id)
        writer.write(column: username)
        writer.write(column: displayName)
        writer.write(column: createdAt)
    }
}

struct DemoThought: DemoRow, Equatable {
    let id: UUID
    let author: UUID
    let category: String
    let text: String
    let publishedAt: Timestamp

    static let table = "thoughts"

    static var copy: SQL {
        """
        copy thoughts (id, author_id, category, text, status, created_at, published_at, updated_at) \
        from stdin (format binary)
        """
    }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 8)
        writer.write(column: id)
        writer.write(column: author)
        writer.write(column: category)
        writer.write(column: text)
        writer.write(column: "PUBLISHED")
        for _ in 0..<3 { writer.write(column: publishedAt) }
    }
}

struct DemoComment: DemoRow, Equatable {
    let id: UUID
    let author: UUID
    let thought: UUID
    let text: String
    let createdAt: Timestamp

    static let table = "comments"

    static var copy: SQL { "copy comments (id, author_id, thought_id, text, created_at) from stdin (format binary)" }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 5)
        writer.write(column: id)
        writer.write(column: author)
        writer.write(column: thought)
        writer.write(column: text)
        writer.write(column: createdAt)
    }
}

struct DemoLike: DemoRow, Equatable {
    let thought: UUID
    let user: UUID
    let createdAt: Timestamp

    static let table = "thought_likes"

    static var copy: SQL { "copy thought_likes (thought_id, user_id, created_at) from stdin (format binary)" }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 3)
        writer.write(column: thought)
        writer.write(column: user)
        writer.write(column: createdAt)
    }
}

struct DemoEvent: DemoRow, Equatable {
    let id: UUID
    let author: UUID
    let name: String
    let description: String
    let location: String
    let timeZone: String
    let startsAt: Timestamp
    let endsAt: Timestamp
    let createdAt: Timestamp

    static let table = "events"

    static var copy: SQL {
        """
        copy events (id, author_id, name, description, location, time_zone, starts_at, ends_at, created_at, updated_at) \
        from stdin (format binary)
        """
    }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 10)
        writer.write(column: id)
        writer.write(column: author)
        for text in [name, description, location, timeZone] { writer.write(column: text) }
        for time in [startsAt, endsAt, createdAt, createdAt] { writer.write(column: time) }
    }
}

struct DemoRSVP: DemoRow, Equatable {
    let event: UUID
    let user: UUID
    let isGoing: Bool
    let createdAt: Timestamp

    static let table = "event_rsvps"

    static var copy: SQL { "copy event_rsvps (event_id, user_id, status, created_at) from stdin (format binary)" }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 4)
        writer.write(column: event)
        writer.write(column: user)
        writer.write(column: isGoing ? "GOING" : "INTERESTED")
        writer.write(column: createdAt)
    }
}
