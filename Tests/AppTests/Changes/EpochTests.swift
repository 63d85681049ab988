import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// A database that lost history, or is another. `Tests/Client/failover` has it with real standbys.
@Suite struct EpochTests {
    private static func cursor(_ live: LiveWorld) async throws -> String {
        try #require(try await live.world.ask("{ changeCursor }", as: .nobody).string("changeCursor"))
    }

    private static func touch(_ live: LiveWorld) async throws {
        let edit = "updateThought(input: {id: \"\(worldID(.thought, 0x201))\", text: \"So.\"}) { thought { id } }"
        // Its connections may just have been cut.
        try await eventually("an edit") { try await live.world.ask("mutation { \(edit) }", as: .ana).isData }
    }

    private static func list(after cursor: String, _ live: LiveWorld) async throws -> Answer {
        try await live.world.ask("{ changes(after: \"\(cursor)\", scopes: [{feed: {}}]) { nodes { kind } } }", as: .ben)
    }

    /// Whoever listens is told, and whoever comes with a cursor of before.
    private static func expectExpired(_ cursors: [String], on live: LiveWorld) async throws {
        for cursor in cursors {
            let after = "after: \"\(cursor)\""
            let refusal = try await live.subscribe("feedChanges(\(after)) { kind }", as: .nobody).refusal
            #expect(refusal?.code == "CURSOR_EXPIRED")
            let mailbox = try await live.subscribe("notificationChanges(\(after)) { kind }", as: .ben).refusal
            #expect(mailbox?.code == "CURSOR_EXPIRED")
            #expect(try await list(after: cursor, live).code == "CURSOR_EXPIRED")
        }
    }

    private static func cutConnections(_ world: World) async throws {
        try await world.execute(
            script: """
                select pg_terminate_backend(pid, 10000) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()
                """)
    }

    private struct Count: Statement {
        let sql: SQL
        func decode(_ row: Row) -> Int64 { row.int64(0) }
    }

    /// Two replicas notice at once, and agree on one new epoch.
    @Test func anotherTimelineBeginsANewEpoch() async throws {
        let live = try await LiveWorld.make()
        let replica = try await LiveWorld(live.world)
        let before = try await Self.cursor(live)
        try await Self.touch(live)
        try await live.settle()
        let later = try await Self.cursor(live)
        var listening: [Subscriber] = []
        for place in [live, replica] {
            listening.append(try await place.subscribe("feedChanges { kind }", as: .nobody))
            listening.append(try await place.subscribe("feedChanges(after: \"\(before)\") { kind }", as: .ben))
            listening.append(try await place.subscribe("viewerChanges { cursor }", as: .ana))
        }
        try await live.world.execute(script: "update change_log_epoch set timeline = timeline + 1")
        for subscriber in listening {
            _ = try await subscriber.until { $0.code != nil }
            #expect(subscriber.all.last?.code == "CURSOR_EXPIRED")
        }
        for place in [live, replica] {
            let hub = place.world.environment.changes
            try await eventually("a new epoch") { hub.cursor?.epoch != ChangeCursor(before)?.epoch }
            #expect(hub.statistics.lostHistories == 1)
            #expect(hub.statistics.subscriptions == 0)
            try await Self.expectExpired([before, later], on: place)
        }
        let epochs = [live, replica].map { $0.world.environment.changes.cursor?.epoch }
        #expect(epochs[0] == epochs[1])
        #expect(
            try await live.world.rows(
                Count(sql: "select count(*) from change_log_epoch where timeline = current_timeline()")) == [1])

        let fresh = try await Self.cursor(live)
        let resumed = try await replica.subscribe("feedChanges(after: \"\(fresh)\") { kind }", as: .nobody)
        try await Self.touch(live)
        #expect(try await resumed.take(1).first?.string("feedChanges", "kind") == "CHANGED")
        await replica.stop()
        await live.shutdown()
    }

    /// Connections end without a loss, as where PostgreSQL is restarted; then a row that was read is gone, and the newest
    /// ones are still there.
    @Test func whatAReconnectFindsDecides() async throws {
        let live = try await LiveWorld.make()
        let start = try await Self.cursor(live)
        for _ in 0..<3 { try await Self.touch(live) }
        try await live.settle()
        let before = try await Self.cursor(live)
        let listening = try await live.subscribe("feedChanges(after: \"\(before)\") { kind }", as: .nobody)
        for count in 1...3 {
            try await Self.cutConnections(live.world)
            try await Self.touch(live)
            // It was read over another connection than all before it.
            #expect(try await listening.take(count).allSatisfy(\.isData))
        }
        #expect(live.world.environment.changes.statistics.lostHistories == 0)
        #expect(try await Self.list(after: start, live).isData)

        try await live.world.execute(
            script: """
                delete from change_log
                where id = (select id from change_log order by xid desc, id desc offset 1 limit 1)
                """)
        try await Self.cutConnections(live.world)
        _ = try await listening.until { $0.code != nil }
        #expect(listening.all.last?.code == "CURSOR_EXPIRED")
        #expect(live.world.environment.changes.statistics.lostHistories == 1)
        try await Self.expectExpired([start, before], on: live)
        await live.shutdown()
    }

    /// Of many who noticed the same loss one begins the new epoch.
    @Test func oneOfManyBeginsTheNewEpoch() async throws {
        let live = try await LiveWorld.make(writers: 16)
        let seen = try #require(live.world.environment.changes.cursor?.epoch)
        let pool = live.world.environment.pools.worker
        let begun = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { try await pool.run(BeginChangeLogEpoch(seen: seen)).first ?? false }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(begun == 1)
        await live.shutdown()
    }

    /// A log that came with a backup begins anew, and so does its epoch.
    @Test func anAdoptedLogHasAnEpochOfItsOwn() async throws {
        let world = try await World.make()
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        let epoch: SQL = "select epoch from change_log_epoch"
        let before = try await connection.run(Count(sql: epoch))
        #expect(try await ChangeLogOrigin.adopt(connection))
        let after = try await connection.run(Count(sql: epoch))
        #expect(before != after)
        #expect(try await !ChangeLogOrigin.adopt(connection))
        #expect(try await connection.run(Count(sql: epoch)) == after)
        let found = try #require(try await ChangeLogOrigin.epoch(connection))
        #expect(found.timeline == found.presentTimeline)
        await connection.close()
        await world.shutdown()
    }
}
