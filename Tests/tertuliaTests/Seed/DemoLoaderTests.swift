import Auth
import Postgres
import Testing

@testable import tertulia

@Suite struct DemoLoaderTests {
    private let size = DemoData.Size(users: 20, thoughts: 40, comments: 1_200, likes: 300, events: 6, rsvps: 60)

    private func number(_ sql: SQL, _ connection: DedicatedConnection) async throws -> Int64 {
        try await connection.one(sql) { $0.int64(0) }
    }

    @Test func countersEqualTheRows() async throws {
        try await MigratedDatabase.with { _, connection in
            let loader = DemoLoader(connection: connection, logger: MigratedDatabase.logger)
            #expect(try await loader.isEmpty())
            try await loader.load(DemoData(size: size, seed: 5), passwordHash: "unused")
            #expect(try await !loader.isEmpty())
            #expect(try await number("select count(*) from comments", connection) == 1_200)
            #expect(try await number("select count(*) from thought_likes", connection) == 300)
            #expect(try await number("select count(*) from event_rsvps", connection) == 60)
            let differences = try await number(
                """
                select
                  (select count(*) from thoughts t where
                    comment_count <> (select count(*) from comments c where c.thought_id = t.id)
                    or like_count <> (select count(*) from thought_likes l where l.thought_id = t.id))
                  + (select count(*) from events e where
                    going_count <> (select count(*) from event_rsvps where event_id = e.id and status = 'GOING')
                    or interested_count <>
                      (select count(*) from event_rsvps where event_id = e.id and status = 'INTERESTED'))
                """, connection)
            #expect(differences == 0)
        }
    }

    @Test func theSameSeedIsLoadedOnce() async throws {
        try await MigratedDatabase.with { _, connection in
            let loader = DemoLoader(connection: connection, logger: MigratedDatabase.logger)
            try await loader.load(DemoData(size: size, seed: 5), passwordHash: "unused")
            await #expect(throws: DemoLoader.Failure.alreadyLoaded(seed: 5)) {
                try await loader.load(DemoData(size: size, seed: 5), passwordHash: "unused")
            }
            try await loader.load(DemoData(size: size, seed: 6), passwordHash: "unused")
            #expect(try await number("select count(*) from users", connection) == 40)
            #expect(try await number("select count(*) from credentials", connection) == 1)
        }
    }

    @Test func aRoleUnderRowLevelSecurityIsRefused() async throws {
        try await MigratedDatabase.with { cluster, _ in
            let connection = try await DedicatedConnection.open(
                ConnectionConfiguration(cluster.url(), role: "tertulia_server"))
            await #expect(throws: DemoLoader.Failure.rowLevelSecurity) {
                try await DemoLoader(connection: connection, logger: MigratedDatabase.logger)
                    .load(DemoData(size: size, seed: 1), passwordHash: "unused")
            }
            await connection.close()
        }
    }

    @Test func theDocumentedPasswordIsWithinTheRules() {
        #expect(
            PasswordRules().problem(with: DemoLoader.password, username: "ana1", email: DemoLoader.email) == nil)
    }
}
