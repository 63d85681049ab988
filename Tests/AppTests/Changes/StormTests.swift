import GraphQL
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// Writers whose transactions overlap, replicas, and readers that break off and resume: each gets every change of the
/// log that concerns it, once and in order.
@Suite(.serialized) struct StormTests {
    private static let thoughts: [UInt64] = [0x201, 0x202, 0x203, 0x204]

    /// A transaction that stays open for a while after its change: later ones commit before it.
    private static func write(_ world: World, _ number: Int) async throws {
        let thought = worldUUID(thoughts[number % thoughts.count])
        let status = number % 5 == 0 ? "DRAFT" : "PUBLISHED"
        let published = status == "DRAFT" ? "null" : "coalesce(published_at, now())"
        try await world.execute(
            script: """
                begin;
                update thoughts set status = '\(status)', published_at = \(published), text = '\(number)'
                where id = '\(thought)';
                select pg_sleep(\(number % 7 == 0 ? "0.05" : "0"));
                commit;
                """)
    }

    /// What a subscription of everybody has to get, by the log itself.
    private static func expected(_ world: World, after start: ChangePosition) async throws -> [String] {
        try await world.texts(
            """
            select case when (before).status is not distinct from 'PUBLISHED' then
                case when (after).status = 'PUBLISHED' then 'CHANGED' else 'REMOVED' end else 'ADDED' end
              || ' ' || object_id || ' ' || xid::text || '.' || id
            from change_log where type = 'thought' and not counters_only
              and (xid, id) > (\(String(start.transaction))::xid8, \(start.row))
              and ((before).status = 'PUBLISHED' or (after).status = 'PUBLISHED')
            order by xid, id
            """)
    }

    @Test func everyChangeComesOnceAndInOrder() async throws {
        let live = try await LiveWorld.make()
        let replica = try await LiveWorld(live.world)
        let start = try #require(live.world.environment.changes.cursor)
        let readers = (0..<8).map { Reader(live.world, replica.world, from: start, seed: $0) }
        _ = try await concurrently(6) { writer in
            for number in 0..<30 { try await Self.write(live.world, writer * 31 + number) }
        }
        try await live.settle()
        try await replica.settle()
        let expected = try await Self.expected(live.world, after: start.position)
        #expect(expected.count > 100)
        for reader in readers {
            do {
                try await eventually("\(expected.count) changes, not \(reader.seen.count)") {
                    reader.seen.count >= expected.count || reader.hasFailed
                }
            } catch {
                Issue.record(error)
            }
            await reader.stop()
            #expect(reader.seen == expected)
        }
        await replica.stop()
        await live.shutdown()
    }
}

/// Reads some changes, breaks off, and goes on after the last of them on either replica.
private final class Reader: Sendable {
    private let state = Mutex<(seen: [String], hasFailed: Bool)>(([], false))
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ world: World, _ replica: World, from start: ChangeCursor, seed: UInt64) {
        let reading = Task { [self] in
            do {
                try await read([world, replica], from: start, seed: seed)
            } catch {
                if !Task.isCancelled { state.withLock { $0.hasFailed = true } }
            }
        }
        task.withLock { $0 = reading }
    }

    var seen: [String] { state.withLock { $0.seen } }
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    func stop() async {
        let task = task.withLock { $0 }
        task?.cancel()
        await task?.value
    }

    private func read(_ worlds: [World], from start: ChangeCursor, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var cursor = start
        while !Task.isCancelled {
            let world = worlds[Int.random(in: 0...1, using: &generator)]
            let stream = try await ChangeStream(
                FeedChanges(filter: FeedFilter()), after: cursor, world.context(as: .nobody))
            var left = Int.random(in: 1...12, using: &generator)
            for try await matched in stream {
                let change = matched.shared.change
                cursor = matched.shared.cursor
                if !change.isCountersOnly {
                    let position = "\(change.position.transaction).\(change.position.row)"
                    state.withLock { $0.seen.append("\(matched.kind.rawValue) \(change.object.uuid) \(position)") }
                }
                left -= 1
                if left == 0 { break }
            }
        }
    }
}
