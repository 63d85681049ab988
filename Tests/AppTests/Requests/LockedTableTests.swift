import Postgres
import Testing

@testable import App

/// A transaction that locks a table, as a migration or a person at psql does.
@Suite(.timeLimit(.minutes(20)))
struct LockedTableTests {
    @Test func unrelatedReadsAreAnswered() async throws {
        let world = try await World.make()
        var configuration = world.environment.pools.read.configuration
        (configuration.connections, configuration.maxInFlight) = (3, 16)
        // Longer than a statement takes on a busy machine, which would make every kind of statement a slow one.
        configuration.slowAfter = .seconds(2)
        (configuration.deadline, configuration.patience) = (.seconds(600), .seconds(600))
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
            try await world.untilWaiting(1)
            // From here on the pool knows the statement that waits to be slow.
            try await Task.sleep(for: configuration.slowAfter ?? .zero)
            for _ in 0..<20 { #expect(try await server.run(viewer, as: .ana) == expected) }
            try await locker.execute(script: "commit")
            for operation in locked { #expect(try await operation.value == before) }
        }
        await pool.shutdown()
        await world.shutdown()
    }
}
