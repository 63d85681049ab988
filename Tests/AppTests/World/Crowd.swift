import Postgres
import TestSupport

@testable import App

/// Members beyond the world's people, for what many do at once.
struct Crowd: Sendable {
    let world: World
    let count: Int

    init(_ count: Int, in world: World) async throws {
        self.world = world
        self.count = count
        try await world.execute(
            script: """
                insert into users (id, username, display_name)
                select ('019b7600-0000-7000-8000-0000' || lpad(to_hex(x'c0000'::integer + n), 8, '0'))::uuid,
                  'member' || n, 'Member ' || n
                from generate_series(0, \(count - 1)) as n
                """)
    }

    func user(_ number: Int) -> UUID { worldUUID(0xC0000 + UInt64(number % count)) }

    func ask(_ text: String, as number: Int) async throws -> Answer {
        let viewer = RequestContext.Viewer(userID: user(number), sessionID: user(number))
        return try await world.ask(text, RequestContext(environment: world.environment, viewer: viewer))
    }
}

extension World {
    /// Ends the connections, whose statistics PostgreSQL then knows, counts the deadlocks of this database and drops it.
    func deadlocks() async throws -> Int {
        await environment.pools.shutdown()
        await database.close()
        let others: SQL = """
            select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
            """
        try await eventually("the connections have ended") { try await number(others) == 0 }
        let deadlocks = try await number("select deadlocks from pg_stat_database where datname = current_database()")
        await shutdown()
        return deadlocks
    }
}

extension [Answer] {
    /// The codes of the answers, "OK" for data, each once.
    var codes: Set<String> { Set(map { $0.isData ? "OK" : $0.code ?? $0.userErrors.first ?? $0.text }) }
}
