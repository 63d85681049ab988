import Postgres
import TestSupport
import Testing

@testable import App

/// What is told to whom, and that it is told once.
@Suite struct NotificationTests {
    private let thought = worldID(.thought, 0x201)
    private let event = worldID(.event, 0x301)

    private func unread(_ world: World, _ person: Person) async throws -> (count: Int?, texts: [String]) {
        let user = try #require(person.viewer?.userID)
        try await world.writeNotifications()
        let answer = try await world.ask("{ viewer { unreadNotificationCount } }", as: person)
        let texts = try await world.texts(
            "select text from notifications where user_id = \(user) and read_at is null order by created_at, text")
        return (answer.int("viewer", "unreadNotificationCount"), texts)
    }

    private func mutate(_ field: String, _ world: World, as person: Person) async throws {
        let answer = try await world.ask("mutation { \(field) { userErrors { code } } }", as: person)
        #expect(answer.isData, "\(answer.text)")
    }

    @Test func twentyLikesAreOne() async throws {
        let world = try await World.make(writers: 8)
        try await world.execute(script: "delete from notifications; delete from thought_likes")
        let crowd = try await Crowd(20, in: world)
        let like = "mutation { likeThought(input: {thoughtId: \"\(thought)\"}) { userErrors { code } } }"
        #expect(try await concurrently(20) { try await crowd.ask(like, as: $0) }.codes == ["OK"])
        let first = try await unread(world, .ana)
        #expect(first.count == 1)
        #expect(first.texts.first?.hasSuffix(" and 19 others liked “First”.") == true, "\(first.texts)")
        // The same person again is no news; after it was read, another is.
        _ = try await crowd.ask(like.replacing("likeThought", with: "unlikeThought"), as: 3)
        _ = try await crowd.ask(like, as: 3)
        #expect(try await unread(world, .ana).texts == first.texts)
        try await mutate("markAllNotificationsRead(input: {})", world, as: .ana)
        #expect(try await unread(world, .ana).count == 0)
        try await mutate("likeThought(input: {thoughtId: \"\(thought)\"})", world, as: .ben)
        #expect(try await unread(world, .ana).texts == ["Ben liked “First”."])
        #expect(try await world.deadlocks() == 0)
    }

    /// Otherwise a backlog of n acts costs n² to catch up with.
    @Test func aBatchDoesNotReadTheBacklog() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into outbox (kind, subject_type, subject_id, actor_id)
                select 'LIKE', 'thought', '\(worldUUID(0x201))', gen_random_uuid() from generate_series(1, 20000);
                analyze outbox;
                do $$ begin
                  perform write_notifications(10);
                  if (select seq_scan from pg_stat_xact_user_tables where relname = 'outbox') > 0 then
                    raise exception 'the whole outbox was read';
                  end if;
                end $$
                """)
        await world.shutdown()
    }

    @Test func onesOwnActsAreNone() async throws {
        let world = try await World.make()
        try await world.execute(script: "delete from notifications")
        try await mutate("likeThought(input: {thoughtId: \"\(thought)\"})", world, as: .ana)
        try await mutate("addComment(input: {subjectId: \"\(thought)\", text: \"x\"})", world, as: .ana)
        try await mutate("rsvp(input: {eventId: \"\(event)\"})", world, as: .ben)
        try await mutate("updateEvent(input: {id: \"\(event)\", name: \"x\"})", world, as: .ben)
        #expect(try await unread(world, .ben).count == 0)
        #expect(
            try await world.texts("select distinct kind from notifications") == ["EVENT_CHANGED"], "for those who come")
        await world.shutdown()
    }

    @Test(arguments: [(0xA, 0xB), (0xB, 0xA)]) func blockedPeopleAreNotHeard(_ blocker: UInt64, _ blocked: UInt64)
        async throws
    {
        let world = try await World.make()
        try await world.execute(
            script: """
                delete from notifications;
                insert into thought_ratings (thought_id, user_id, stars)
                  values ('\(worldUUID(0x201))', '\(worldUUID(0xB))', 4);
                """)
        #expect(try await unread(world, .ana).count == 1)
        try await world.execute(
            script: """
                insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(blocker))', '\(worldUUID(blocked))')
                """)
        #expect(try await unread(world, .ana).count == 0)
        // As a write that the block came too late for: ben finds nothing of ana's any more.
        try await world.execute(
            script: """
                insert into thought_likes (thought_id, user_id) values ('\(worldUUID(0x203))', '\(worldUUID(0xB))');
                insert into comments (id, author_id, thought_id, text)
                  values ('\(worldUUID(0x4F9))', '\(worldUUID(0xB))', '\(worldUUID(0x201))', 'x');
                """)
        #expect(try await unread(world, .ana).texts == ["Ben rated “First”."])
        try await world.writeNotifications()
        let shown = try await world.ask("{ viewer { notifications { nodes { text } } } }", as: .ana)
        #expect(!shown.text.contains("Ben"))
        await world.shutdown()
    }

    private func shown(_ world: World) async throws -> String {
        let nodes = "notifications { nodes { text actorCount actor { username } } }"
        try await world.writeNotifications()
        let answer = try await world.ask("{ viewer { unreadNotificationCount \(nodes) } }", as: .ana)
        return answer.text
    }

    private func block(_ id: UInt64, _ world: World) async throws {
        try await world.execute(
            script: "insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(id))', '\(worldUUID(0xA))')")
    }

    /// Of several people the others are shown.
    @Test func aGroupIsShownWithoutWhoIsBlocked() async throws {
        let world = try await World.make()
        try await world.execute(script: "delete from notifications; delete from thought_likes")
        for person in [Person.zoe, .mod, .ben] {
            try await mutate("likeThought(input: {thoughtId: \"\(thought)\"})", world, as: person)
        }
        let all = try await shown(world)
        #expect(all.contains("Ben and 2 others liked “First”.") && all.contains("\"actorCount\":3"), "\(all)")
        try await block(0xB, world)
        let two = try await shown(world)
        #expect(two.contains("Mod and one other liked “First”.") && two.contains("\"actorCount\":2"), "\(two)")
        #expect(two.contains("{\"username\":\"mod\"}") && !two.contains("ben"), "\(two)")
        try await block(0xD, world)
        let one = try await shown(world)
        #expect(one.contains("Mod liked “First”.") && one.contains("\"unreadNotificationCount\":1"), "\(one)")
        try await block(0xC, world)
        let none = try await shown(world)
        #expect(none.contains("\"nodes\":[]") && none.contains("\"unreadNotificationCount\":0"), "\(none)")
        try await world.execute(script: "delete from blocks where blocker_id = '\(worldUUID(0xD))'")
        let back = try await shown(world)
        #expect(back.contains("Amber Otter 1 liked “First”."), "\(back)")
        await world.shutdown()
    }

    /// The subject is named as before, whatever it and the people are called.
    @Test func theOthersOfAGroupDidItToTheSame() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                delete from notifications; delete from thought_likes;
                update thoughts set title = 'My “first” one' where id = '\(worldUUID(0x201))';
                update users set display_name = 'Ben “the liked”' where id = '\(worldUUID(0xB))';
                """)
        for person in [Person.mod, .ben] {
            try await mutate("likeThought(input: {thoughtId: \"\(thought)\"})", world, as: person)
        }
        let all = try await shown(world)
        #expect(all.contains("Ben “the liked” and one other liked “My “first” one”."), "\(all)")
        try await block(0xB, world)
        let one = try await shown(world)
        #expect(one.contains("Mod liked “My “first” one”."), "\(one)")
        await world.shutdown()
    }

    @Test func whoIsGoneIsNotNamed() async throws {
        let world = try await World.make()
        try await world.execute(script: "delete from notifications; delete from thought_likes")
        for person in [Person.mod, .ben] {
            try await mutate("likeThought(input: {thoughtId: \"\(thought)\"})", world, as: person)
        }
        try await mutate("addComment(input: {subjectId: \"\(thought)\", text: \"x\"})", world, as: .ben)
        let marked = "insert into deleted_accounts (user_id) values ('\(worldUUID(0xB))')"
        for step in [marked, "delete from deleted_accounts; delete from users where id = '\(worldUUID(0xB))'"] {
            try await world.execute(script: step)
            let texts = try await shown(world)
            #expect(texts.contains("\"text\":\"Mod liked “First”.\",\"actorCount\":1"), "\(texts)")
            #expect(texts.contains("\"text\":\"Somebody commented on “First”.\",\"actorCount\":1"), "\(texts)")
            #expect(!texts.contains("Ben"), "\(texts)")
        }
        await world.shutdown()
    }

    @Test func readingAConversationReadsWhatWasToldOfIt() async throws {
        let world = try await World.make()
        try await world.execute(script: "delete from notifications")
        let conversation = worldID(.conversation, 0x601)
        let send = """
            mutation { sendMessage(input: {conversationId: "\(conversation)", text: "x"}) { message { id } } }
            """
        let first = try #require(try await world.ask(send, as: .ben).string("sendMessage", "message", "id"))
        let second = try #require(try await world.ask(send, as: .ben).string("sendMessage", "message", "id"))
        #expect(try await unread(world, .ana).texts == ["Ben wrote to you."])
        #expect(try await unread(world, .ben).count == 0)
        func read(_ message: String) -> String {
            "markConversationRead(input: {conversationId: \"\(conversation)\", messageId: \"\(message)\"})"
        }
        try await mutate(read(first), world, as: .ana)
        #expect(try await unread(world, .ana).count == 1)
        try await mutate(read(second), world, as: .ana)
        #expect(try await unread(world, .ana).count == 0)
        await world.shutdown()
    }

    @Test func thoseWhoComeHearOfChanges() async throws {
        let world = try await World.make()
        try await world.execute(script: "delete from notifications")
        try await mutate("updateEvent(input: {id: \"\(event)\", description: \"Longer.\"})", world, as: .ben)
        #expect(try await unread(world, .ana).count == 0)
        try await mutate("updateEvent(input: {id: \"\(event)\", location: \"Bar\"})", world, as: .ben)
        try await mutate("updateEvent(input: {id: \"\(event)\", name: \"Talk\"})", world, as: .ben)
        #expect(try await unread(world, .ana).texts == ["Ben changed “Talk”."])
        #expect(try await unread(world, .zoe).count == 1)
        try await mutate("cancelEvent(input: {id: \"\(event)\"})", world, as: .ben)
        try await mutate("cancelEvent(input: {id: \"\(event)\"})", world, as: .ben)
        #expect(try await unread(world, .ana).texts == ["Ben changed “Talk”.", "Ben cancelled “Talk”."])
        #expect(try await unread(world, .ben).count == 0)
        await world.shutdown()
    }

    @Test func manyActsAtOnceStayOneEach() async throws {
        let world = try await World.make(writers: 8)
        try await world.execute(script: "delete from notifications")
        let crowd = try await Crowd(24, in: world)
        let answers = try await concurrently(360) { number in
            if number % 15 == 7 {
                let mark = "mutation { markAllNotificationsRead(input: {}) { userErrors { code } } }"
                try await world.writeNotifications()
                return try await world.ask(mark, as: number % 2 == 0 ? .ana : .ben)
            }
            let field =
                switch number % 5 {
                case 0: "likeThought(input: {thoughtId: \"\(thought)\"})"
                case 1: "unlikeThought(input: {thoughtId: \"\(thought)\"})"
                case 2: "addComment(input: {subjectId: \"\(thought)\", text: \"x\"})"
                case 3: "addComment(input: {subjectId: \"\(event)\", text: \"x\"})"
                default: "rsvp(input: {eventId: \"\(event)\"})"
                }
            return try await crowd.ask("mutation { \(field) { userErrors { code } } }", as: number / 3)
        }
        #expect(answers.codes == ["OK"])
        #expect(
            try await world.number(
                """
                select count(*) from (select from notifications where read_at is null \
                group by user_id, kind, subject_id having count(*) > 1) several
                """) == 0)
        let miscounted: SQL = "select count(*) from notifications where actor_count < cardinality(actors)"
        #expect(try await world.number(miscounted) == 0)
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.deadlocks() == 0)
    }

    /// Comments are found in the change log, whose rows count once no older transaction runs.
    @Test func aCommentIsToldOnceWhatIsOlderIsThere() async throws {
        let world = try await World.make()
        try await world.execute(script: "delete from notifications")
        let older = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await older.execute("begin")
        try await older.execute("select pg_current_xact_id()")
        for subject in [thought, event] {
            try await mutate("addComment(input: {subjectId: \"\(subject)\", text: \"So.\"})", world, as: .mod)
        }
        let told: SQL = "select count(*) from notifications"
        _ = try await older.run(WriteNotifications(batch: 500))
        #expect(try await older.execute(told)[0].int64(0) == 0)
        try await older.execute("commit")
        await older.close()
        try await world.writeNotifications()
        let texts: SQL = "select text from notifications order by text"
        #expect(try await world.texts(texts) == ["Mod commented on “First”.", "Mod commented on “Tertulia”."])
        try await world.execute(script: "update notifications set read_at = now()")
        try await world.writeNotifications()
        #expect(try await world.number(told) == 2)
        await world.shutdown()
    }

    /// Much that was written at once is gone through in pages.
    @Test(.timeLimit(.minutes(10))) func theLogIsGoneThroughInPages() async throws {
        let world = try await World.make(writers: 8)
        try await world.execute(script: "delete from notifications")
        let crowd = try await Crowd(20, in: world)
        let input = "{subjectId: \"\(thought)\", text: \"So.\"}"
        let comment = "mutation { addComment(input: \(input)) { userErrors { code } } }"
        #expect(try await concurrently(20) { try await crowd.ask(comment, as: $0) }.codes == ["OK"])
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        let told: SQL = "select max(actor_count)::bigint from notifications where subject_id = \(worldUUID(0x201))"
        // Four rows are read for each act. A transaction in another database holds rows up for as long as it runs.
        try await eventually("twenty are told of") {
            _ = try await connection.run(WriteNotifications(batch: 1))
            return try await connection.execute(told)[0].int64(optional: 0) ?? 0 >= 20
        }
        #expect(try await connection.execute(told)[0].int64(optional: 0) == 20)
        await connection.close()
        await world.shutdown()
    }

    /// What is taken back before it is told is no news, nor a message that is read by then.
    @Test func whatIsOverIsNotTold() async throws {
        let world = try await World.make()
        try await world.execute(script: "delete from notifications")
        for field in ["likeThought", "unlikeThought"] {
            try await mutate("\(field)(input: {thoughtId: \"\(thought)\"})", world, as: .mod)
        }
        try await mutate("rateThought(input: {thoughtId: \"\(thought)\", stars: 3})", world, as: .mod)
        try await mutate("unrateThought(input: {thoughtId: \"\(thought)\"})", world, as: .mod)
        #expect(try await unread(world, .ana).texts == [])
        try await mutate("likeThought(input: {thoughtId: \"\(thought)\"})", world, as: .mod)
        #expect(try await unread(world, .ana).texts == ["Mod liked “First”."])
        await world.shutdown()
    }

    /// In as many transactions as it takes, everybody once.
    @Test func aLargeEventsGuestsAreToldInPages() async throws {
        let world = try await World.make()
        _ = try await Crowd(7, in: world)
        try await world.execute(
            script: """
                delete from event_rsvps;
                insert into event_rsvps (event_id, user_id, status)
                  select '\(worldUUID(0x301))', id, 'GOING' from users where id <> '\(worldUUID(0xB))';
                """)
        try await world.writeNotifications()
        try await world.execute(script: "delete from notifications")
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await mutate("updateEvent(input: {id: \"\(event)\", name: \"x\"})", world, as: .ben)
        var told: [Int32] = []
        // A transaction in another database holds rows up for as long as it runs.
        try await eventually("ten are told, not \(told)") {
            if try await connection.run(WriteNotifications(batch: 4)) != [0] {
                told += try await connection.execute("select count(*)::integer from notifications").map { $0.int32(0) }
            }
            return told.last ?? 0 >= 10
        }
        #expect(try await connection.run(WriteNotifications(batch: 4)) == [0])
        await connection.close()
        #expect(told == [4, 8, 10])
        #expect(try await world.number("select count(distinct user_id) from notifications") == 10)
        await world.shutdown()
    }

    @Test func goWithTheAccount() async throws {
        let world = try await World.make()
        try await world.execute(script: "delete from users where id = '\(worldUUID(0xA))'")
        #expect(try await world.number("select count(*) from notifications where user_id = \(worldUUID(0xA))") == 0)
        #expect(try await world.number("select count(*) from notifications") == 3)
        await world.shutdown()
    }
}
