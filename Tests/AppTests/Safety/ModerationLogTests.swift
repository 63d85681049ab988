import Postgres
import Testing

@testable import App

/// What moderators remove is on record, and nothing else is.
@Suite struct ModerationLogTests {
    private static let records: SQL = """
        select concat_ws(' ', right(moderator_id::text, 1), action, subject_type, right(subject_id::text, 3), \
        right(author_id::text, 1), right(report_id::text, 3)) from moderation_log order by id
        """

    private func run(_ fields: [(Person, String)], in world: World) async throws -> [String] {
        for (person, field) in fields {
            let answer = try await world.ask("mutation { \(field) { clientMutationId } }", as: person)
            #expect(answer.isData, "\(field): \(answer.text)")
        }
        return try await world.texts(Self.records)
    }

    @Test func holdsEachRemovalOfAnothersThing() async throws {
        let world = try await World.make()
        let records = try await run(
            [
                (.mod, "deleteComment(input: {id: \"\(worldID(.comment, 0x402))\"})"),
                (.mod, "deleteThought(input: {id: \"\(worldID(.thought, 0x201))\"})"),
                (.mod, "deleteEvent(input: {id: \"\(worldID(.event, 0x301))\"})"),
            ], in: world)
        // The comments that fell with the thought and the event are no acts of their own.
        #expect(records == ["c REMOVED comment 402 a", "c REMOVED thought 201 a", "c REMOVED event 301 b"])
        await world.shutdown()
    }

    @Test func holdsNoOwnDeletion() async throws {
        let world = try await World.make()
        let records = try await run(
            [
                // A comment of ben's falls with it.
                (.ana, "deleteThought(input: {id: \"\(worldID(.thought, 0x201))\"})"),
                (.ben, "deleteEvent(input: {id: \"\(worldID(.event, 0x301))\"})"),
            ], in: world)
        #expect(records == [])
        try await world.execute(script: "delete from users where id = '\(worldUUID(0xB))'")
        #expect(try await world.texts(Self.records) == [])
        await world.shutdown()
    }

    @Test func holdsDecisionsWithTheirReports() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into reports (id, reporter_id, subject_type, subject_id, reason) values
                  ('\(worldUUID(0x601))', '\(worldUUID(0xB))', 'comment', '\(worldUUID(0x402))', 'SPAM'),
                  ('\(worldUUID(0x602))', '\(worldUUID(0xB))', 'user', '\(worldUUID(0xA))', 'SPAM'),
                  ('\(worldUUID(0x603))', '\(worldUUID(0xA))', 'event', '\(worldUUID(0x301))', 'SPAM');
                """)
        func decide(_ report: UInt64, _ removes: Bool) -> (Person, String) {
            (.mod, "resolveReport(input: {id: \"\(worldID(.report, report))\", removeContent: \(removes)})")
        }
        let records = try await run(
            [
                decide(0x601, true), decide(0x602, true), decide(0x603, false), decide(0x603, false),
                (.mod, "deleteThought(input: {id: \"\(worldID(.thought, 0x201))\"})"),
            ], in: world)
        #expect(
            records == [
                "c REMOVED comment 402 a 601", "c REMOVED user 00a a 602", "c DISMISSED event 301 603",
                "c REMOVED thought 201 a",
            ])
        #expect(try await world.rows(CounterDrift()) == [])
        await world.shutdown()
    }

    /// A superuser, too, has to mean it.
    @Test func isAppendOnly() async throws {
        let world = try await World.make()
        _ = try await run([(.mod, "deleteThought(input: {id: \"\(worldID(.thought, 0x201))\"})")], in: world)
        for statement in ["update moderation_log set action = 'DISMISSED'", "delete from moderation_log"] {
            await #expect(throws: PostgresError.self, "\(statement)") { try await world.execute(script: statement) }
        }
        #expect(try await world.texts(Self.records).count == 1)
        await world.shutdown()
    }
}
