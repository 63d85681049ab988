import Postgres
import Testing

@testable import App

@Suite struct QueueWatchTests {
    @Test func readsTheQueues() async throws {
        let world = try await World.make()
        let latest = LatestQueueDepths()
        #expect(latest.all.isEmpty)
        let watch = QueueWatch(world.environment, latest)
        try await watch.read()
        #expect(latest.all.map(\.queue) == ["mail", "push"])
        #expect(latest.all.map(\.length) == [0, 0])
        #expect(latest.all.map(\.overdue) == [0, 0])
        let signUp = """
            mutation { signUp(input: {username: "eve", email: "eve@example.org", password: "a long way to go"}) \
            { accessToken userErrors { code } } }
            """
        #expect(try await world.ask(signUp, as: .nobody).isData)
        try await world.execute(script: "update mails set due_at = now() - interval '90 seconds'")
        try await watch.read()
        #expect(latest.all.map(\.length) == [1, 0])
        let overdue = try #require(latest.all.first?.overdue)
        #expect((90..<600).contains(overdue))
        // Where the queues cannot be read, no old figures are shown.
        try await world.execute(script: "alter table mails rename to letters")
        await #expect(throws: PostgresError.self) { try await watch.read() }
        #expect(latest.all.isEmpty)
        await world.shutdown()
    }
}
