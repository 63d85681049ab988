import Postgres
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
        let holder = Task {
            try await live.world.execute(script: "begin; select pg_current_xact_id(); select pg_sleep(3); commit")
        }
        while try await live.world.number("select count(*) from pg_stat_activity where query like '%pg_sleep(3)%'") < 2
        {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try await live.world.ask("mutation { \(edit) }", as: .ben).isData)
        while hub.statistics.waiting == 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(hub.statistics.waiting < 10)
        #expect(hub.statistics.lag > 0)
        #expect(hub.statistics.events == 0)
        try await holder.value
        try await live.settle()
        #expect(hub.statistics.events > 0)
        #expect(hub.queues == (hub.statistics.events, hub.statistics.events))
        // Thoughts and events.
        #expect(hub.statistics.topics == 2)
        var iterator = stream.makeAsyncIterator()
        _ = try await iterator.next()
        #expect(hub.queues.sum == hub.statistics.events - 1)
        while hub.statistics.waiting > 0 { try await Task.sleep(for: .milliseconds(10)) }
        await live.shutdown()
    }
}
