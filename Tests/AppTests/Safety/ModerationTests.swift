import Postgres
import Testing

@testable import App

/// Who sees reports and may decide on them: the queue and the decision, whoever blocked whom.
@Suite struct ModerationTests {
    private static let thought = worldID(.thought, 0x201)
    private static let report = worldID(.report, 0x601)

    /// Ben's report of ana's thought, and who has blocked whom.
    private static func make(_ blocks: [(UInt64, UInt64)] = []) async throws -> World {
        let world = try await World.make()
        let rows = blocks.map { block in
            "insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(block.0))', '\(worldUUID(block.1))');"
        }
        try await world.execute(
            script: """
                insert into reports (id, reporter_id, subject_type, subject_id, reason, note)
                values ('\(worldUUID(0x601))', '\(worldUUID(0xB))', 'thought', '\(worldUUID(0x201))', 'SPAM', 'Look.');
                \(rows.joined())
                """)
        return world
    }

    private static func resolve(_ removes: Bool) -> String {
        """
        mutation { resolveReport(input: {id: "\(report)", removeContent: \(removes)}) \
        { report { status reporter { username } resolvedBy { username } } userErrors { code } } }
        """
    }

    @Test(arguments: [
        (Person.ana, "FORBIDDEN"), (.ben, "FORBIDDEN"), (.zoe, "FORBIDDEN"), (.nobody, "UNAUTHENTICATED"),
    ]) func theQueueIsForModerators(_ person: Person, _ code: String) async throws {
        let world = try await Self.make()
        let answer = try await world.ask("{ reports { nodes { id subject { id } reporter { id } note } } }", as: person)
        #expect(answer.code == code, "\(answer.text)")
        #expect(!answer.text.contains("Look."))
        await world.shutdown()
    }

    /// Nobody but the reporter and moderators sees a report, and of it the reporter not who decided.
    @Test func aReportByItsID() async throws {
        let world = try await Self.make()
        #expect(try await world.ask(Self.resolve(false), as: .mod).isData)
        let text = """
            { node(id: "\(Self.report)") { id ... on Report { status reporter { username } resolvedBy { username } } } }
            """
        for person in [Person.ana, .zoe, .nobody] {
            #expect(try await world.ask(text, as: person)["node"] == .null, "\(person)")
        }
        let own = try await world.ask(text, as: .ben)
        #expect(own.string("node", "status") == "DISMISSED")
        #expect(own["node", "resolvedBy"] == .null && own["node", "reporter"] == .null)
        let moderators = try await world.ask(text, as: .mod)
        #expect(moderators.string("node", "reporter", "username") == "ben")
        #expect(moderators.string("node", "resolvedBy", "username") == "mod")
        await world.shutdown()
    }

    /// Neither who is reported nor who reports can keep a moderator from deciding, nor can the moderator's own blocks.
    @Test(arguments: [[], [(0xA, 0xC)], [(0xB, 0xC)], [(0xC, 0xA)], [(0xA, 0xC), (0xC, 0xA), (0xB, 0xA)]])
    func blocksStandInNobodysWay(_ blocks: [(UInt64, UInt64)]) async throws {
        let world = try await Self.make(blocks)
        let queue = try await world.ask("{ reports { nodes { id reporter { username } note } } }", as: .mod)
        #expect(queue.text.contains(Self.report) && queue.text.contains("\"ben\""), "\(queue.text)")
        let answer = try await world.ask(Self.resolve(true), as: .mod)
        #expect(answer.string("resolveReport", "report", "status") == "CONTENT_REMOVED", "\(answer.text)")
        #expect(try await world.number("select count(*) from thoughts where id = \(worldUUID(0x201))") == 0)
        #expect(try await world.ask("{ thought(id: \"\(Self.thought)\") { id } }", as: .ana)["thought"] == .null)
        #expect(try await world.number("select count(*) from moderation_log") == 1)
        await world.shutdown()
    }

    /// What was made a draft since it was reported is not shown, but can be removed.
    @Test func whatIsADraftNowIsRemovedUnseen() async throws {
        let world = try await Self.make()
        #expect(
            try await world.ask(
                "mutation { unpublishThought(input: {id: \"\(Self.thought)\"}) { thought { id } } }", as: .ana
            ).isData)
        let queue = try await world.ask("{ reports { nodes { subject { id } } } }", as: .mod)
        #expect(queue.isData && !queue.text.contains(Self.thought))
        #expect(try await world.ask(Self.resolve(true), as: .mod).isData)
        #expect(try await world.number("select count(*) from thoughts where id = \(worldUUID(0x201))") == 0)
        await world.shutdown()
    }

    @Test func aRoleThatWasTakenBackDecidesNothing() async throws {
        let world = try await Self.make()
        try await world.execute(script: "update users set role = 'ADMIN' where username = 'ana'")
        #expect(try await world.ask("{ reports { nodes { id } } }", as: .ana).text.contains(Self.report))
        try await world.execute(script: "update users set role = 'MEMBER' where username in ('ana', 'mod')")
        for person in [Person.ana, .mod] {
            #expect(try await world.ask("{ reports { nodes { id } } }", as: person).code == "FORBIDDEN")
            #expect(try await world.ask(Self.resolve(true), as: person).code == "NOT_FOUND")
        }
        #expect(try await world.number("select count(*) from moderation_log") == 0)
        await world.shutdown()
    }

    /// Two decisions at once: one holds, the other is a conflict or the same.
    @Test func decisionsAtOnce() async throws {
        let world = try await World.make(writers: 8)
        try await world.execute(
            script: """
                insert into reports (id, reporter_id, subject_type, subject_id, reason)
                values ('\(worldUUID(0x601))', '\(worldUUID(0xB))', 'thought', '\(worldUUID(0x201))', 'SPAM')
                """)
        let answers = try await concurrently(12) { try await world.ask(Self.resolve($0 % 2 == 0), as: .mod) }
        #expect(answers.filter(\.isData).count == 6)
        #expect(answers.filter { $0.userErrors == ["CONFLICT"] }.count == 6)
        #expect(try await world.number("select count(*) from moderation_log") == 1)
        #expect(try await world.deadlocks() == 0)
    }

    /// Those who look at it lose it at once.
    @Test func aRemovalIsToldToSubscribers() async throws {
        let live = try await LiveWorld.make()
        try await live.world.execute(
            script: """
                insert into reports (id, reporter_id, subject_type, subject_id, reason)
                values ('\(worldUUID(0x601))', '\(worldUUID(0xB))', 'thought', '\(worldUUID(0x201))', 'SPAM')
                """)
        let feed = try await live.subscribe("feedChanges { kind nodeId node { id } }", as: .nobody)
        #expect(try await live.world.ask(Self.resolve(true), as: .mod).isData)
        let events = try await feed.take(1)
        #expect(HiddenWorld.told(events) == ["REMOVED \(Self.thought)"], "\(events.map(\.text))")
        await live.shutdown()
    }
}
