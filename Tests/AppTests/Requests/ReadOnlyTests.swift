import Postgres
import Testing

@testable import App

/// A database that only reads, as a standby that nobody has promoted.
@Suite struct ReadOnlyTests {
    @Test func queriesGoOnAndMutationsAreUnavailable() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                do $$ begin
                  execute format('alter database %I set default_transaction_read_only = on', current_database());
                end $$
                """)
        // What is set holds for the sessions to come.
        let server = world.anotherServer()
        #expect(await DatabaseProbe(ConnectionConfiguration(world.url, role: "tertulia_server")).ask() == .readsOnly)
        let feed = try await server.run("{ viewer { user { username } } feed(first: 1) { nodes { id } } }", as: .ana)
        #expect(feed.contains(#""nodes":[{"id":"#) && !feed.contains("errors"), "\(feed)")
        let refused = try await server.run(
            #"mutation { createThought(input: { category: FUNNY, text: "x" }) { thought { id } } }"#, as: .ana)
        #expect(refused.contains(#""code":"UNAVAILABLE""#) && refused.contains("takes no writes"), "\(refused)")
        await server.environment.pools.shutdown()
        await world.shutdown()
    }
}
