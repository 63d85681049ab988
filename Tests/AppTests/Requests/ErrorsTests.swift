import Postgres
import Testing

@testable import App

@Suite struct ErrorsTests {
    /// A value that somebody sent may stand in the detail, or in a data exception's message.
    @Test(
        arguments: [
            ("select 'a secret'::uuid", "22P02: data exception"),
            (
                "insert into users (id, display_name, role) values (gen_random_uuid(), 'a secret', 'a secret')",
                "users_role_check"
            ),
            (
                "update users set username = 'a secret' where id in (select id from users limit 2)",
                "users_username_key"
            ),
        ] as [(StaticString, String)])
    func theLogHasNoValues(sql: StaticString, expected: String) async throws {
        let world = try await World.make()
        let error = await #expect(throws: PostgresError.self) {
            _ = try await world.environment.pools.worker.run(Segment(["\(unsafe: sql)"]))
        }
        let logged = try #require(error?.server?.withoutValues)
        #expect(logged.contains(expected))
        #expect(!logged.contains("secret"))
        await world.shutdown()
    }
}
