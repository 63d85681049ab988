import Postgres
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

@Suite struct ChangeFiguresTests {
    /// What is committed and waits for an older transaction is told, and what waits for its reader.
    @Test func whatWaitsIsCounted() async throws {
        let live = try await LiveWorld.make()
        let hub = live.world.environment.changes
        let stream = try await live.stream("feedChanges { kind }", live.world.context(as: .nobody))
        let edit = "updateThought(input: {id: \"\(worldID(.thought, 0x202))\", text: \"x\"}) { thought { id } }"
        let older = try await DedicatedConnection.open(ConnectionConfiguration(live.world.url))
        try await older.execute(script: "begin; select pg_current_xact_id()")
        #expect(try await live.world.ask("mutation { \(edit) }", as: .ben).isData)
        try await eventually("a change waits") { hub.statistics.waiting > 0 }
        #expect(hub.statistics.waiting < 10)
        #expect(hub.statistics.lag > 0)
        #expect(hub.statistics.events == 0)
        await older.close()
        try await live.settle()
        #expect(hub.statistics.events > 0)
        #expect(hub.queues == (hub.statistics.events, hub.statistics.events))
        // Thoughts and events.
        #expect(hub.statistics.topics == 2)
        var iterator = stream.makeAsyncIterator()
        _ = try await iterator.next()
        #expect(hub.queues.sum == hub.statistics.events - 1)
        try await eventually("no change waits") { hub.statistics.waiting == 0 }
        await live.shutdown()
    }
}
