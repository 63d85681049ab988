import Postgres
import Testing

@testable import App

/// What no thought may be, whoever writes it.
@Suite struct ThoughtChecksTests {
    @Test(
        arguments: [
            ("'SAD', 'PUBLISHED', now()", "thoughts_category_check"),
            ("'FUNNY', 'HIDDEN', null", "thoughts_status_check"),
            ("'FUNNY', 'DRAFT', now()", "thoughts_check"),
            ("'FUNNY', 'PUBLISHED', null", "thoughts_check"),
        ])
    func areRefused(_ values: String, _ constraint: String) async throws {
        let world = try await World.make()
        for statement in [
            "update thoughts set (category, status, published_at) = (\(values)) where id = '\(worldUUID(0x201))'",
            """
            insert into thoughts (category, status, published_at, id, author_id, text)
            values (\(values), '\(worldUUID(0x2FF))', '\(worldUUID(0xA))', 'x')
            """,
        ] {
            let error = await #expect(throws: PostgresError.self, "\(statement)") {
                try await world.execute(script: statement)
            }
            #expect(error?.sqlstate == "23514", "\(statement)")
            #expect(error?.constraint == constraint, "\(statement)")
        }
        await world.shutdown()
    }

    /// PostgreSQL would parse a CHECK constraint in each update of a counter.
    @Test func countersAskNoneOfIt() async throws {
        let world = try await World.make()
        let constraints = try await world.texts(
            "select conname::text from pg_constraint where conrelid = 'thoughts'::regclass and contype = 'c'")
        #expect(constraints == [])
        await world.shutdown()
    }
}
