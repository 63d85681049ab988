import Postgres
import TestPostgres
import TestSupport
import Testing

/// What a world leaves behind in the PostgreSQL that all tests share.
@Suite struct WorldTests {
    @Test func itsDatabaseGoesWhenItShutsDown() async throws {
        let world = try await World.make()
        let name = try await Self.name(of: world)
        #expect(try await Self.isThere(name))
        await world.shutdown()
        #expect(try await !Self.isThere(name))
    }

    @Test func itsDatabaseGoesWhenNobodyHoldsIt() async throws {
        let name = try await Self.name(of: World.make())
        try await eventually("the world's database has gone") { try await !Self.isThere(name) }
    }

    private static func name(of world: World) async throws -> String {
        try await world.database.use { try await $0.execute("select current_database()::text")[0].string(0) }
    }

    private static func isThere(_ name: String) async throws -> Bool {
        let connection = try await DedicatedConnection.open(
            ConnectionConfiguration(TestPostgres.shared.administration()))
        let isThere = try await connection.execute(
            "select exists (select from pg_database where datname = \(name))")[0].bool(0)
        await connection.close()
        return isThere
    }
}
