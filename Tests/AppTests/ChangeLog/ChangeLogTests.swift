import Postgres
import Testing

@testable import App

/// Each mutation with the rows of the log that it writes: type, object, the state before and after, and whether only
/// counters differ.
struct ChangeLogCase: Sendable {
    let viewer: Person
    let mutation: String
    let rows: [String]

    init(_ viewer: Person, _ mutation: String, _ rows: String...) {
        self.viewer = viewer
        self.mutation = mutation
        self.rows = rows
    }
}

@Suite struct ChangeLogTests {
    private static let ana = "a,PUBLISHED,FUNNY,,"
    private static let draft = "a,DRAFT,FUNNY,,"
    private static let event = "b,,,2099-05-01,"
    private static let past = "a,,,2026-01-04,"
    private static let counted201 = "thought 201: \(ana) -> \(ana) counters"
    private static let counted301 = "event 301: \(event) -> \(event) counters"

    private static func id(_ kind: TypeID.Kind, _ low: UInt64) -> String { "\"\(worldID(kind, low))\"" }

    static let cases: [ChangeLogCase] = feed + ChatChangeLog.cases

    private static let feed: [ChangeLogCase] = [
        ChangeLogCase(
            .ana, "createThought(input: {id: \(id(.thought, 0x2FF)), category: CRAZY, text: \"x\"})",
            "thought 2ff: none -> a,PUBLISHED,CRAZY,,"),
        ChangeLogCase(
            .ana, "createThought(input: {id: \(id(.thought, 0x2FF)), category: CRAZY, text: \"x\", status: DRAFT})",
            "thought 2ff: none -> a,DRAFT,CRAZY,,"),
        ChangeLogCase(.ana, "createThought(input: {id: \(id(.thought, 0x201)), category: CRAZY, text: \"x\"})"),
        ChangeLogCase(.ben, "createThought(input: {id: \(id(.thought, 0x201)), category: CRAZY, text: \"x\"})"),
        ChangeLogCase(
            .ana, "updateThought(input: {id: \(id(.thought, 0x201)), category: SERIOUS})",
            "thought 201: \(ana) -> a,PUBLISHED,SERIOUS,,"),
        ChangeLogCase(.ben, "updateThought(input: {id: \(id(.thought, 0x201)), category: SERIOUS})"),
        ChangeLogCase(
            .ana, "publishThought(input: {id: \(id(.thought, 0x204))})", "thought 204: \(draft) -> \(ana)"),
        ChangeLogCase(.ana, "publishThought(input: {id: \(id(.thought, 0x201))})"),
        ChangeLogCase(
            .ana, "unpublishThought(input: {id: \(id(.thought, 0x201))})", "thought 201: \(ana) -> \(draft)"),
        ChangeLogCase(.ben, "unpublishThought(input: {id: \(id(.thought, 0x201))})"),
        // The comments go with the thought; the likes are no objects of their own.
        ChangeLogCase(
            .ana, "deleteThought(input: {id: \(id(.thought, 0x201))})", "thought 201: \(ana) -> none",
            "comment 401: b,,thought,,201 -> none", "comment 402: a,,thought,,201 -> none"),
        ChangeLogCase(.ben, "deleteThought(input: {id: \(id(.thought, 0x201))})"),
        ChangeLogCase(.ana, "likeThought(input: {thoughtId: \(id(.thought, 0x201))})", counted201),
        ChangeLogCase(.ben, "likeThought(input: {thoughtId: \(id(.thought, 0x201))})"),
        ChangeLogCase(.ben, "unlikeThought(input: {thoughtId: \(id(.thought, 0x201))})", counted201),
        ChangeLogCase(.ana, "unlikeThought(input: {thoughtId: \(id(.thought, 0x201))})"),
        ChangeLogCase(.ben, "saveThought(input: {thoughtId: \(id(.thought, 0x201))})", counted201),
        ChangeLogCase(.ben, "unsaveThought(input: {thoughtId: \(id(.thought, 0x201))})"),
        ChangeLogCase(
            .ben, "rateThought(input: {thoughtId: \(id(.thought, 0x201)), stars: 4})", counted201,
            "notification: none -> a,UNREAD,,,"),
        ChangeLogCase(.ben, "rateThought(input: {thoughtId: \(id(.thought, 0x201)), stars: 6})"),
        ChangeLogCase(.ben, "unrateThought(input: {thoughtId: \(id(.thought, 0x201))})"),
        ChangeLogCase(.ben, "shareThought(input: {thoughtId: \(id(.thought, 0x201))})", counted201),
        ChangeLogCase(.ana, "shareThought(input: {thoughtId: \(id(.thought, 0x204))})"),
        ChangeLogCase(
            .ben, "addComment(input: {id: \(id(.comment, 0x4FF)), subjectId: \(id(.thought, 0x201)), text: \"x\"})",
            "comment 4ff: none -> b,,thought,,201", counted201, "notification: none -> a,UNREAD,,,"),
        ChangeLogCase(
            .ana, "addComment(input: {id: \(id(.comment, 0x4FF)), subjectId: \(id(.event, 0x301)), text: \"x\"})",
            "comment 4ff: none -> a,,event,,301", counted301, "notification: none -> b,UNREAD,,,"),
        ChangeLogCase(.zoe, "addComment(input: {subjectId: \(id(.event, 0x301)), text: \"x\"})"),
        ChangeLogCase(
            .ben, "updateComment(input: {id: \(id(.comment, 0x401)), text: \"x\"})",
            "comment 401: b,,thought,,201 -> b,,thought,,201"),
        ChangeLogCase(.ana, "updateComment(input: {id: \(id(.comment, 0x401)), text: \"x\"})"),
        ChangeLogCase(
            .mod, "deleteComment(input: {id: \(id(.comment, 0x401))})", "comment 401: b,,thought,,201 -> none",
            counted201,
            "notification: none -> b,UNREAD,,,"),
        ChangeLogCase(.ana, "deleteComment(input: {id: \(id(.comment, 0x401))})"),
        ChangeLogCase(
            .ana,
            """
            createEvent(input: {id: \(id(.event, 0x3FF)), name: "x", description: "x", \
            startsAt: "2099-01-01T00:00:00Z", endsAt: "2099-01-01T01:00:00Z"})
            """,
            "event 3ff: none -> a,,,2099-01-01,"),
        ChangeLogCase(
            .ben, "updateEvent(input: {id: \(id(.event, 0x301)), startsAt: \"2099-04-30T18:00:00Z\"})",
            "event 301: \(event) -> b,,,2099-04-30,", "notification: none -> a,UNREAD,,,",
            "notification: none -> d,UNREAD,,,"),
        ChangeLogCase(
            .ben, "cancelEvent(input: {id: \(id(.event, 0x301))})", "event 301: \(event) -> \(event)",
            "notification: none -> a,UNREAD,,,", "notification: none -> d,UNREAD,,,"),
        ChangeLogCase(.ana, "updateEvent(input: {id: \(id(.event, 0x301)), name: \"x\"})"),
        ChangeLogCase(
            .ben, "deleteEvent(input: {id: \(id(.event, 0x301))})", "event 301: \(event) -> none",
            "comment 403: a,,event,,301 -> none"),
        ChangeLogCase(.ana, "cancelEvent(input: {id: \(id(.event, 0x301))})"),
        ChangeLogCase(.ana, "blockUser(input: {userId: \(id(.user, 0xB))})", "block 00b: none -> a,,,,00b"),
        ChangeLogCase(.ana, "blockUser(input: {userId: \(id(.user, 0xA))})"),
        ChangeLogCase(.ana, "unblockUser(input: {userId: \(id(.user, 0xB))})"),
        ChangeLogCase(.ana, "reportContent(input: {subjectId: \(id(.event, 0x301)), reason: SPAM})"),
        ChangeLogCase(.ben, "rsvp(input: {eventId: \(id(.event, 0x301))})", counted301),
        ChangeLogCase(.ana, "rsvp(input: {eventId: \(id(.event, 0x301)), status: INTERESTED})", counted301),
        ChangeLogCase(.ana, "rsvp(input: {eventId: \(id(.event, 0x301)), status: GOING})"),
        ChangeLogCase(.ana, "cancelRsvp(input: {eventId: \(id(.event, 0x301))})", counted301),
        ChangeLogCase(.ben, "cancelRsvp(input: {eventId: \(id(.event, 0x301))})"),
        ChangeLogCase(.ana, "rsvp(input: {eventId: \(id(.event, 0x302))})"),
    ]

    /// All of it in one transaction, that of the write, but for what is told of it afterwards.
    @Test func everyMutationWritesItsRows() async throws {
        let world = try await World.make()
        for row in Self.cases {
            try await world.reset()
            let newest = try await world.number("select max(id) from change_log")
            _ = try await world.ask("mutation { \(row.mutation) { clientMutationId } }", as: row.viewer)
            #expect(try await world.texts(Self.written(after: newest)) == row.rows, "\(row.viewer): \(row.mutation)")
            let transactions = try await world.number(
                """
                select count(distinct xid) from change_log where id > \(newest) \
                and (type <> 'notification' or before is distinct from null)
                """)
            let written = row.rows.count { !$0.hasPrefix("notification: none") }
            #expect(transactions == min(1, written), "\(row.viewer): \(row.mutation)")
        }
        await world.shutdown()
    }

    @Test func aMarkThatChangesOrGoesIsAChange() async throws {
        let world = try await World.make()
        let thought = Self.id(.thought, 0x201)
        for field in [
            "saveThought(input: {thoughtId: \(thought)})", "rateThought(input: {thoughtId: \(thought), stars: 2})",
        ] {
            #expect(try await world.ask("mutation { \(field) { userErrors { code } } }", as: .ben).isData)
        }
        let steps: [(String, [String])] = [
            ("saveThought(input: {thoughtId: \(thought)})", []),
            ("rateThought(input: {thoughtId: \(thought), stars: 2})", []),
            ("rateThought(input: {thoughtId: \(thought), stars: 5})", [Self.counted201]),
            ("unrateThought(input: {thoughtId: \(thought)})", [Self.counted201]),
            ("unsaveThought(input: {thoughtId: \(thought)})", [Self.counted201]),
        ]
        for (field, rows) in steps {
            let newest = try await world.number("select max(id) from change_log")
            #expect(try await world.ask("mutation { \(field) { userErrors { code } } }", as: .ben).isData)
            #expect(try await world.texts(Self.written(after: newest)) == rows, "\(field)")
        }
        await world.shutdown()
    }

    /// What goes at once is one row a comment, and one a subject however many comments it had.
    @Test func severalCommentsInOneStatement() async throws {
        let world = try await World.make()
        let newest = try await world.number("select max(id) from change_log")
        try await world.execute(
            script: """
                insert into comments (id, author_id, thought_id, event_id, text) values
                ('\(worldUUID(0x4F1))', '\(worldUUID(0xA))', null, '\(worldUUID(0x301))', 'x'),
                ('\(worldUUID(0x4F2))', '\(worldUUID(0xB))', '\(worldUUID(0x201))', null, 'x'),
                ('\(worldUUID(0x4F3))', '\(worldUUID(0xA))', '\(worldUUID(0x201))', null, 'x')
                """)
        #expect(
            try await world.texts(Self.written(after: newest)) == [
                "comment 4f1: none -> a,,event,,301", Self.counted301, "comment 4f2: none -> b,,thought,,201",
                Self.counted201,
                "comment 4f3: none -> a,,thought,,201", Self.counted201, "notification: none -> a,UNREAD,,,",
                "notification: none -> b,UNREAD,,,",
            ])
        let second = try await world.number("select max(id) from change_log")
        try await world.execute(script: "delete from comments where id >= '\(worldUUID(0x4F1))'")
        #expect(
            try await world.texts(Self.written(after: second)) == [
                Self.counted201, Self.counted301, "comment 4f1: a,,event,,301 -> none",
                "comment 4f2: b,,thought,,201 -> none",
                "comment 4f3: a,,thought,,201 -> none",
            ])
        try await world.execute(script: "insert into comments select * from comments where false")
        #expect(try await world.number("select count(*) from change_log where id > \(second)") == 5)
        #expect(try await world.rows(CounterDrift()) == [])
        await world.shutdown()
    }

    /// Clients choose ids, which are unique among thoughts and among events.
    @Test func commentsOnAThoughtAndAnEventOfOneID() async throws {
        let world = try await World.make()
        let both = "'\(worldUUID(0x2F1))'"
        try await world.execute(
            script: """
                insert into thoughts (id, author_id, category, text, status, published_at)
                values (\(both), '\(worldUUID(0xA))', 'FUNNY', 'x', 'PUBLISHED', now());
                insert into events (id, author_id, name, description, starts_at, ends_at)
                values (\(both), '\(worldUUID(0xA))', 'x', 'x', now(), now());
                insert into comments (id, author_id, thought_id, event_id, text) values
                ('\(worldUUID(0x4F1))', '\(worldUUID(0xA))', null, \(both), 'x'),
                ('\(worldUUID(0x4F2))', '\(worldUUID(0xB))', \(both), null, 'x')
                """)
        let newest = try await world.number("select max(id) from change_log")
        try await world.execute(script: "delete from comments where id >= '\(worldUUID(0x4F1))'")
        // Each comment, and the counter of each subject.
        #expect(try await world.number("select count(*) from change_log where id > \(newest)") == 4)
        #expect(try await world.rows(CounterDrift()) == [])
        await world.shutdown()
    }

    @Test func theEndOfABlockIsAChange() async throws {
        let world = try await World.make()
        try await world.execute(script: "insert into blocks values ('\(worldUUID(0xA))', '\(worldUUID(0xB))')")
        let newest = try await world.number("select max(id) from change_log")
        let unblock = "mutation { unblockUser(input: {userId: \(Self.id(.user, 0xB))}) { userErrors { code } } }"
        #expect(try await world.ask(unblock, as: .ana).isData)
        #expect(try await world.texts(Self.written(after: newest)) == ["block 00b: a,,,,00b -> none"])
        await world.shutdown()
    }

    @Test func theLossOfAnImageIsAChange() async throws {
        let world = try await World.make()
        try await world.execute(
            script: OwnershipMatrix.script + """
                update thoughts set image_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0x201))';
                update users set avatar_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0xA))'
                """)
        let newest = try await world.number("select max(id) from change_log")
        try await world.execute(script: "delete from images")
        #expect(
            Set(try await world.texts(Self.written(after: newest)))
                == ["thought 201: \(Self.ana) -> \(Self.ana)", "user 00a: a,,,, -> a,,,,"])
        await world.shutdown()
    }

    @Test func anAccountGoesWithAllThatIsIts() async throws {
        let world = try await World.make()
        let newest = try await world.number("select max(id) from change_log")
        try await world.execute(script: "delete from users where id = '\(worldUUID(0xA))'")
        let written = try await world.texts(Self.written(after: newest)).sorted()
        #expect(
            written
                == [
                    "comment 401: b,,thought,,201 -> none", "comment 402: a,,thought,,201 -> none",
                    "comment 403: a,,event,,301 -> none",
                    Self.counted301, Self.counted301,
                    "event 302: \(Self.past) -> none",
                    "thought 201: \(Self.ana) -> none", "thought 203: a,PUBLISHED,CRAZY,, -> none",
                    "thought 204: \(Self.draft) -> none", "user 00a: a,,,, -> none",
                    "conversation 601: a,JOINED,b,,601 -> JOINED,b,,601",
                    "conversation 602: a,JOINED,,,602 -> JOINED,,,602",
                    "conversation 603: a,JOINED,d,,603 -> JOINED,d,,603",
                    "message 701: a,,,,601 -> ,,,601", "message 703: a,,,,602 -> ,,,602",
                    "message 704: a,,,,603 -> ,,,603",
                ].sorted())
        await world.shutdown()
    }

    /// The author, the subject and the other participant of a conversation by their last digits, the start by its day.
    /// Ids of notifications are the database's. What is counted in the row of a comment comes as the change that it stands
    /// for.
    private static func written(after newest: Int) -> SQL {
        """
        select type || case when type = 'notification' then '' else ' ' || right(object_id::text, 3) end || ': ' || states.before || ' -> ' || states.after \
        || case when counters_only then ' counters' else '' end \
        from (select id, type, object_id, before, after, counters_only from change_log union all \
        select id + 1, case when (counted).status is null then 'event' else 'thought' end, (after).subject, \
        counted, counted, true from change_log where counted is distinct from null) l \
        cross join lateral (select max(text) filter (where place = 1) as before, \
        max(text) filter (where place = 2) as after from (select place, case when s is null then 'none' else \
        concat_ws(',', right((s).owner::text, 1), coalesce((s).status, ''), \
        coalesce(case when type = 'conversation' then right((s).category, 1) else (s).category end, ''), \
        coalesce(((s).time at time zone 'UTC')::date::text, ''), \
        coalesce(right((s).subject::text, 3), '')) end as text \
        from (values (1, l.before), (2, l.after)) as states (place, s)) as texts) as states \
        where id > \(newest) order by id
        """
    }
}
