import Postgres
import TestSupport
import Testing

@testable import App

/// Four writes that depend on each other, each in a transaction of its own. In every order in which the transactions
/// can have begun, the log has the rows in the order in which they were written.
@Suite struct WriteOrderTests {
    struct Writes: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What is there before the writes.
        let setUp: String
        /// `{id}` and `{other}` are ids that each run has to itself.
        let writes: [String]
        /// The types of the rows about other objects, on which the writes do not depend.
        let others: [String]

        init(_ description: String, after setUp: String = "", besides others: [String] = [], _ writes: String...) {
            testDescription = description
            self.setUp = setUp
            self.writes = writes
            self.others = others
        }
    }

    @Test(arguments: Self.cases) func rowsAreInTheOrderOfTheWrites(_ writes: Writes) async throws {
        let world = try await World.make()
        var connections: [DedicatedConnection] = []
        for _ in writes.writes {
            connections.append(try await DedicatedConnection.open(ConnectionConfiguration(world.url)))
        }
        for (number, order) in permutations(of: Array(connections.indices)).enumerated() {
            func script(_ text: String) -> String {
                text.replacing("{id}", with: "\(worldUUID(0x9000 + UInt64(number)))")
                    .replacing("{other}", with: "\(worldUUID(0xA000 + UInt64(number)))")
            }
            try await world.execute(script: script(writes.setUp))
            let start = try await world.number("select coalesce(max(id), 0) from change_log")
            for connection in connections { try await connection.execute(script: "begin; select pg_current_xact_id()") }
            for (write, connection) in zip(writes.writes, order) {
                try await connections[connection].execute(script: script(write))
                try await connections[connection].execute(script: "commit")
            }
            try await expectOrder(of: writes, after: start, order, in: world)
        }
        for connection in connections { await connection.close() }
        await world.shutdown()
    }

    /// The second write waits until the younger transaction, which has made the first, is committed.
    @Test(arguments: Self.pairs) func aWriteThatWaitsForAYoungerOne(_ writes: Writes) async throws {
        let world = try await World.make()
        func script(_ text: String) -> String {
            text.replacing("{id}", with: "\(worldUUID(0x9000))").replacing("{other}", with: "\(worldUUID(0xA000))")
        }
        try await world.execute(script: script(writes.setUp))
        let start = try await world.number("select coalesce(max(id), 0) from change_log")
        let older = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        let younger = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        for connection in [older, younger] {
            // Bounds a hang where the test fails before the younger one is committed.
            try await connection.execute(script: "set lock_timeout = '5min'; begin; select pg_current_xact_id()")
        }
        try await younger.execute(script: script(writes.writes[0]))
        async let second: Void = older.execute(script: script(writes.writes[1]) + "; commit")
        try await eventually("the second write waits") {
            try await world.number(
                """
                select count(*) from pg_stat_activity \
                where datname = current_database() and wait_event_type = 'Lock'
                """) == 1
        }
        try await younger.execute(script: "commit")
        try await second
        try await expectOrder(of: writes, after: start, in: world)
        for connection in [older, younger] { await connection.close() }
        await world.shutdown()
    }

    /// Expects that the rows of the log are numbered in their order. They are numbered as they are written.
    private func expectOrder(of writes: Writes, after start: Int, _ order: [Int] = [], in world: World) async throws {
        let rows = try await world.texts(
            """
            select id || ' ' || type || ' ' || xid from change_log \
            where id > \(start) and type <> all (\(writes.others)) order by xid, id
            """)
        let numbers = rows.compactMap { Int($0.prefix { $0 != " " }) }
        #expect(numbers.count >= writes.writes.count, "\(order): \(rows)")
        #expect(numbers == numbers.sorted(), "\(order): \(rows)")
    }

    private static func id(_ low: UInt64) -> String { "'\(worldUUID(low))'" }

    private static func thought(_ author: UInt64, id: String = "{id}", _ status: String = "PUBLISHED") -> String {
        let time = status == "PUBLISHED" ? "now()" : "null"
        return """
            insert into thoughts (id, author_id, category, text, status, published_at)
            values ('\(id)', \(Self.id(author)), 'FUNNY', 'A thought', '\(status)', \(time));
            """
    }

    private static func comment(on thought: String, _ author: UInt64 = 0xB) -> String {
        """
        insert into comments (id, author_id, thought_id, text) values ('{other}', \(id(author)), \(thought), 'A comment')
        """
    }

    private static func event(_ author: UInt64) -> String {
        """
        insert into events (id, author_id, name, description, starts_at, ends_at)
        values ('{id}', \(id(author)), 'An event', 'It begins.', '2099-01-01Z', '2099-01-02Z')
        """
    }

    private static func message(in conversation: UInt64) -> String {
        """
        insert into messages (id, conversation_id, author_id, text)
        values ('{id}', \(id(conversation)), \(id(0xA)), 'A message')
        """
    }

    private static func call(as person: UInt64, _ function: String) -> String {
        "select set_config('app.viewer_id', \(id(person)), true); select \(function)"
    }

    private static func block(_ blocker: UInt64, _ blocked: UInt64) -> String {
        "insert into blocks (blocker_id, blocked_id) values (\(id(blocker)), \(id(blocked)))"
    }

    private static func unblock(_ blocker: UInt64, _ blocked: UInt64) -> String {
        "delete from blocks where blocker_id = \(id(blocker)) and blocked_id = \(id(blocked))"
    }

    private static func like(_ person: UInt64) -> String {
        """
        insert into thought_likes (thought_id, user_id) values ('{id}', \(id(person)));
        select write_notifications_of_outbox(100)
        """
    }

    private static let anotherComment =
        "insert into comments (id, author_id, thought_id, text) values (uuid_v7(), \(id(0xC)), '{id}', 'Another comment')"
    private static let commentOnBens =
        "insert into comments (id, author_id, thought_id, text) values (uuid_v7(), \(id(0xC)), \(id(0x202)), 'To ben')"
    private static let editCommentsOnBens =
        "update comments set text = text || '.' where thought_id = \(id(0x202))"
    private static let anotherOnEvent =
        "insert into comments (id, author_id, event_id, text) values (uuid_v7(), \(id(0xC)), '{id}', 'I come, too.')"
    private static let commentOnEvent =
        "insert into comments (id, author_id, event_id, text) values ('{other}', \(id(0xA)), '{id}', 'I come.')"
    private static let deleteThought = "delete from thoughts where id = '{id}'"
    private static let deleteComment = "delete from comments where id = '{other}'"
    private static let deleteEvent = "delete from events where id = '{id}'"
    private static let deleteMessage = "delete from messages where id = '{id}'"
    private static let editComment = "update comments set text = 'Another' where id = '{other}'"
    private static let editComments = "update comments set text = text || '.' where thought_id = '{id}'"
    private static let publish =
        "update thoughts set status = 'PUBLISHED', published_at = now() where id = '{id}'"
    private static let unpublish =
        "update thoughts set status = 'DRAFT', published_at = null where id = '{id}'"
    private static let leave = call(as: 0xC, "leave_conversation(\(id(0x602)))")
    private static let rejoin = call(
        as: 0xC, "start_conversation('{other}', array[\(id(0xA)), \(id(0xB))]::uuid[])")

    static let cases = [
        Writes(
            "a thought", thought(0xA), "update thoughts set category = 'CRAZY' where id = '{id}'", unpublish,
            deleteThought),
        Writes(
            "the id of a deleted thought, given to another", after: thought(0xA), deleteThought, thought(0xB),
            unpublish, deleteThought),
        Writes(
            "the counters of a thought", after: thought(0xA), unpublish,
            "insert into thought_likes (thought_id, user_id) values ('{id}', \(id(0xB)))",
            "insert into thought_ratings (thought_id, user_id, stars) values ('{id}', \(id(0xB)), 4)",
            "delete from thought_likes where thought_id = '{id}'"),
        Writes(
            "a comment on a thought that is published and hidden", after: thought(0xA, "DRAFT"), publish,
            comment(on: "'{id}'"), unpublish, deleteComment),
        Writes(
            "a comment", after: thought(0xA), besides: ["thought"], comment(on: "'{id}'"), editComment, editComment,
            deleteComment),
        Writes(
            "the id of a deleted comment, given on another thought",
            after: thought(0xA) + comment(on: "'{id}'"), besides: ["thought"], deleteComment,
            comment(on: id(0x202), 0xA), editComment, deleteComment),
        Writes(
            "many comments that are deleted at once",
            after: thought(0xA, "DRAFT") + comment(on: "'{id}'"), publish,
            """
            insert into comments (id, author_id, thought_id, text)
            select uuid_v7(), \(id(0xB)), '{id}', 'One of many' from generate_series(1, 3)
            """, unpublish, "delete from comments where thought_id = '{id}'"),
        Writes(
            "an imported comment", after: thought(0xA, "DRAFT"), publish,
            "select set_config('app.import', 'on', true); " + comment(on: "'{id}'"), unpublish, deleteComment),
        Writes(
            "an event", event(0xA), "update events set starts_at = '2098-01-01Z' where id = '{id}'",
            "insert into event_rsvps (event_id, user_id, status) values ('{id}', \(id(0xB)), 'GOING')", deleteEvent),
        Writes(
            "the id of a deleted event, given to another", after: event(0xA), deleteEvent, event(0xB),
            commentOnEvent, deleteEvent),
        Writes(
            "a participant, and the messages of others", besides: ["notification"], leave, rejoin, message(in: 0x602),
            deleteMessage),
        Writes(
            "a participant who reads", besides: ["notification"], leave, rejoin,
            """
            update conversation_members set last_read_number = last_read_number + 1
            where conversation_id = \(id(0x602)) and user_id = \(id(0xC))
            """, leave + ";" + rejoin),
        Writes(
            "the id of a deleted message, given in another conversation", after: message(in: 0x601),
            besides: ["conversation", "notification"], deleteMessage, message(in: 0x602),
            "update messages set text = 'Another' where id = '{id}'", deleteMessage),
        Writes("a block", block(0xA, 0xB), unblock(0xA, 0xB), block(0xA, 0xB), unblock(0xA, 0xB)),
        Writes(
            "blocks with one person in common", block(0xA, 0xB), block(0xC, 0xB), unblock(0xA, 0xB),
            unblock(0xC, 0xB)),
        Writes(
            "a block that is merged into another account", block(0xD, 0xB),
            "update blocks set blocker_id = \(id(0xA)) where blocker_id = \(id(0xD))", unblock(0xA, 0xB),
            block(0xD, 0xB) + ";" + unblock(0xD, 0xB)),
        Writes(
            "a notification", after: thought(0xA), like(0xB), like(0xC), like(0xD),
            "update notifications set read_at = now() where subject_id = '{id}'"),
        Writes(
            "a notification of moderation", after: "delete from notifications where kind = 'CONTENT_REMOVED'",
            moderation, moderation, moderation,
            "update notifications set read_at = now() where kind = 'CONTENT_REMOVED'"),
        Writes(
            "a message from before a participant joins again", after: message(in: 0x602), besides: ["notification"],
            leave, rejoin, "update messages set text = 'Another' where id = '{id}'", deleteMessage),
        Writes(
            "a participant who leaves after a message and before another", besides: ["notification"],
            message(in: 0x602), leave, rejoin, deleteMessage),
        Writes(
            "a participant who leaves after a message with the id of a deleted one", after: message(in: 0x602),
            besides: ["notification"], deleteMessage, message(in: 0x602), leave, rejoin),
        Writes(
            "a comment that is deleted with its thought", after: thought(0xA, "DRAFT") + comment(on: "'{id}'"), publish,
            unpublish, publish, deleteThought),
        Writes(
            "comments that are deleted with their event", after: event(0xA),
            "update events set starts_at = '2098-01-01Z' where id = '{id}'",
            """
            insert into comments (id, author_id, event_id, text)
            select uuid_v7(), \(id(0xB)), '{id}', 'One of many' from generate_series(1, 2)
            """, "update events set starts_at = '2097-01-01Z' where id = '{id}'", deleteEvent),
        Writes(
            "a comment that is deleted after it was edited, then its thought, whose id is given to another",
            after: thought(0xA) + comment(on: "'{id}'"), editComment, deleteComment, deleteThought,
            thought(0xB) + anotherComment),
        Writes(
            "comments that are deleted at once after they were edited, then their thought, whose id is given to another",
            after: thought(0xA) + comment(on: "'{id}'") + ";" + anotherComment, editComments,
            "delete from comments where thought_id = '{id}'", deleteThought, thought(0xB) + anotherComment),
        Writes(
            "a comment that is deleted with its thought, whose id is given to another",
            after: thought(0xA) + comment(on: "'{id}'"), besides: ["thought"], editComment, deleteThought,
            thought(0xB) + anotherComment, deleteThought),
        Writes(
            "comments that are deleted with their thought, whose id is given to another",
            after: thought(0xA) + comment(on: "'{id}'") + ";" + anotherComment, besides: ["thought"], editComments,
            deleteThought, thought(0xB) + anotherComment, deleteThought),
        Writes(
            "comments on two thoughts that are deleted at once after they were edited",
            after: thought(0xA) + comment(on: "'{id}'") + ";" + commentOnBens, editComments + ";" + editCommentsOnBens,
            "delete from comments where thought_id in ('{id}', \(id(0x202)))", deleteThought,
            thought(0xB) + anotherComment),
        Writes(
            "the id of a deleted comment, given to an imported one", after: thought(0xA) + comment(on: "'{id}'"),
            deleteComment, "select set_config('app.import', 'on', true); " + comment(on: "'{id}'"), editComment,
            deleteComment),
        Writes(
            "comments that are deleted with their event, whose id is given to another",
            after: event(0xA) + ";" + commentOnEvent + ";" + anotherOnEvent, besides: ["event"],
            "update comments set text = text || '.' where event_id = '{id}'", deleteEvent,
            event(0xB) + ";" + anotherOnEvent, deleteEvent),
        Writes(
            "a comment that is deleted with its event, whose id is given to another",
            after: event(0xA) + ";" + commentOnEvent, besides: ["event"], editComment, deleteEvent,
            event(0xB) + ";" + anotherOnEvent, deleteEvent),
    ]

    static let pairs = [
        Writes("two edits of a thought", after: thought(0xA), unpublish, publish),
        Writes(
            "a like of a thought that is hidden", after: thought(0xA), besides: ["notification"], unpublish, like(0xB)),
        Writes(
            "a comment on a thought that is published", after: thought(0xA, "DRAFT"), publish, comment(on: "'{id}'")),
        Writes(
            "the deletion of a comment on a thought that is hidden", after: thought(0xA) + comment(on: "'{id}'"),
            unpublish, deleteComment),
        Writes("the deletion of a thought that is published", after: thought(0xA, "DRAFT"), publish, deleteThought),
        Writes(
            "an edit of a message while a participant joins", after: message(in: 0x602) + ";" + committed(leave),
            besides: ["notification"], rejoin, "update messages set text = 'Another' where id = '{id}'"),
        Writes(
            "the deletion of a message while a participant joins", after: message(in: 0x602) + ";" + committed(leave),
            besides: ["notification"], rejoin, deleteMessage),
        Writes("two blocks with one person in common", block(0xA, 0xB), block(0xC, 0xB)),
    ]

    /// A call of a function, whose setting of the viewer lasts for its transaction.
    private static func committed(_ call: String) -> String { "begin; \(call); commit" }

    private static let moderation =
        "select notify_of_moderation(\(id(0xA)), 'CONTENT_REMOVED', 'thought', \(id(0x201)), null, 'Removed.')"
}
