import Postgres
import Testing

@testable import App

/// Who is told what moderators did, and of whom nobody is told.
@Suite struct ModerationNoticeTests {
    private static let reports = """
        insert into reports (id, reporter_id, subject_type, subject_id, reason) values
          ('\(worldUUID(0x601))', '\(worldUUID(0xB))', 'thought', '\(worldUUID(0x201))', 'SPAM'),
          ('\(worldUUID(0x602))', '\(worldUUID(0xD))', 'thought', '\(worldUUID(0x201))', 'HARASSMENT'),
          ('\(worldUUID(0x603))', '\(worldUUID(0xB))', 'user', '\(worldUUID(0xA))', 'SEXUAL_CONTENT');
        """
    private static let notices = """
        { viewer { unreadNotificationCount notifications(unreadOnly: true) \
        { nodes { kind reason text actor { id } actorCount subject { __typename id } } } } }
        """

    private static func make() async throws -> World {
        let world = try await World.make()
        try await world.execute(script: "delete from notifications; \(reports)")
        return world
    }

    private func resolve(_ report: UInt64, removes: Bool, _ world: World) async throws {
        let input = "id: \"\(worldID(.report, report))\", removeContent: \(removes)"
        let answer = try await world.ask(
            "mutation { resolveReport(input: {\(input)}) { userErrors { code } } }", as: .mod)
        #expect(answer.isData, "\(answer.text)")
    }

    private func notices(_ world: World, _ person: Person) async throws -> String {
        try await world.ask(Self.notices, as: person).text
    }

    @Test func theAuthorAndEachReporterHearOfARemoval() async throws {
        let world = try await Self.make()
        try await resolve(0x601, removes: true, world)
        #expect(
            try await notices(world, .ana) == """
                {"data":{"viewer":{"unreadNotificationCount":1,"notifications":{"nodes":[\
                {"kind":"CONTENT_REMOVED","reason":"SPAM","text":"Moderators removed your thought “First”: spam.",\
                "actor":null,"actorCount":0,"subject":null}]}}}}
                """)
        for (person, report, reason, text) in [
            (.ben, 0x601, "SPAM", "spam"), (.zoe, 0x602, "HARASSMENT", "harassment"),
        ] as [(Person, UInt64, String, String)] {
            #expect(
                try await notices(world, person) == """
                    {"data":{"viewer":{"unreadNotificationCount":1,"notifications":{"nodes":[\
                    {"kind":"REPORT_RESOLVED","reason":"\(reason)","text":"Moderators removed what you reported: \(text).",\
                    "actor":null,"actorCount":0,"subject":{"__typename":"Report","id":"\(worldID(.report, report))"}}]}}}}
                    """)
        }
        #expect(try await world.number("select count(*) from notifications where user_id = \(worldUUID(0xC))") == 0)
        await world.shutdown()
    }

    @Test func aDismissalIsToldToItsReporterAlone() async throws {
        let world = try await Self.make()
        try await resolve(0x601, removes: false, world)
        #expect(try await notices(world, .ben).contains("Moderators dismissed your report: spam."))
        #expect(try await world.number("select count(*) from notifications") == 1)
        await world.shutdown()
    }

    @Test func aProfileIsStillThere() async throws {
        let world = try await Self.make()
        try await resolve(0x603, removes: true, world)
        let told = try await notices(world, .ana)
        #expect(told.contains("Moderators removed what your profile said: sexual content."))
        #expect(told.contains("{\"__typename\":\"User\",\"id\":\"\(worldID(.user, 0xA))\"}"))
        await world.shutdown()
    }

    /// Without a report there is no reason; what falls with a thing is not told, nor one's own deletion.
    @Test func whatAModeratorDeletesIsToldWithoutAReason() async throws {
        let world = try await Self.make()
        for field in [
            "deleteComment(input: {id: \"\(worldID(.comment, 0x402))\"})",
            "deleteEvent(input: {id: \"\(worldID(.event, 0x301))\"})",
        ] {
            #expect(try await world.ask("mutation { \(field) { deletedId } }", as: .mod).isData)
        }
        let own = "mutation { deleteThought(input: {id: \"\(worldID(.thought, 0x202))\"}) { deletedId } }"
        #expect(try await world.ask(own, as: .ben).isData)
        let told = try await world.texts("select text || coalesce(reason, '') from notifications order by text")
        #expect(
            told == ["Moderators removed your comment “Thanks.”.", "Moderators removed your event “Tertulia”."])
        await world.shutdown()
    }

    /// Blocks hide people, and moderation is none.
    @Test func noBlockHidesIt() async throws {
        let world = try await Self.make()
        try await world.execute(
            script: """
                insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(0xA))', '\(worldUUID(0xC))'),
                  ('\(worldUUID(0xA))', '\(worldUUID(0xB))'), ('\(worldUUID(0xB))', '\(worldUUID(0xA))');
                """)
        try await resolve(0x601, removes: true, world)
        #expect(try await notices(world, .ana).contains("CONTENT_REMOVED"))
        #expect(try await notices(world, .ben).contains("REPORT_RESOLVED"))
        await world.shutdown()
    }

    @Test func itRingsAndIsTold() async throws {
        let live = try await LiveWorld.make()
        try await live.world.execute(script: Self.reports)
        let changes = try await live.subscribe("notificationChanges { kind node { kind reason } }", as: .ana)
        try await resolve(0x601, removes: true, live.world)
        let change = try await changes.take(1)[0]
        #expect(change.string("notificationChanges", "kind") == "ADDED")
        #expect(change.string("notificationChanges", "node", "reason") == "SPAM")
        let queue = PushQueue(live.world.environment, hold: .zero) { _ in .sent }
        #expect(try await queue.dealWithDue().taken == 1)
        await live.shutdown()
    }
}
