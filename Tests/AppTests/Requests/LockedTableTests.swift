import Postgres
import Testing

@testable import App

/// A transaction that locks a table, as a migration or a person at psql does.
@Suite(.timeLimit(.minutes(20)))
struct LockedTableTests {
    private struct WaitsForLock: Statement {
        var sql: SQL {
            """
            select count(*) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and state = 'active'
            """
        }
        func decode(_ row: Row) -> Int64 { row.int64(0) }
    }

    @Test func unrelatedReadsAreAnswered() async throws {
        let world = try await World.make()
        var configuration = world.environment.pools.read.configuration
        (configuration.connections, configuration.maxInFlight) = (3, 16)
        configuration.slowAfter = .milliseconds(20)
        // A statement that fails at the pool's deadline would say no more than that the machine is busy.
        (configuration.deadline, configuration.patience) = (.seconds(180), .seconds(180))
        let pool = Pool(configuration)
        let server = world.with { $0.pools.read = pool }
        let comments = "{ feed(first: 3) { nodes { id ... on Thought { comments(first: 2) { nodes { text } } } } } }"
        let viewer = "{ viewer { user { username } } }"
        let expected = try await server.run(viewer, as: .ana)
        #expect(expected.contains(#""username":"ana""#) && !expected.contains("errors"), "\(expected)")
        let before = try await server.run(comments, as: .ana)

        try await world.database.use { locker in
            try await locker.execute(script: "begin; lock table comments in access exclusive mode")
            let locked = (0..<8).map { _ in Task { try await server.run(comments, as: .ana) } }
            try await world.database.use { observer in
                while try await observer.run(WaitsForLock()).first == 0 {
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            // From here on the pool knows the statement that waits to be slow.
            try await Task.sleep(for: .milliseconds(50))
            for _ in 0..<20 {
                let answer = try await server.run(viewer, as: .ana)
                #expect(answer == expected, "\(answer)")
            }
            try await locker.execute(script: "commit")
            for operation in locked {
                let answer = try await operation.value
                #expect(answer == before, "\(answer)")
            }
        }
        await pool.shutdown()
        await world.shutdown()
    }
}
