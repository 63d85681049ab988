import Postgres
import TestSupport
import Testing

@testable import App

@Suite struct ChangeLogOrderTests {
    /// Read up to the oldest transaction that runs, in the order of transactions: a slow commit is not overtaken.
    @Test func aSlowCommitHoldsBackTheFastOne() async throws {
        let world = try await World.make(writers: 8)
        let newest = try await world.number("select max(id) from change_log")
        let readable: SQL = """
            select right(object_id::text, 3) from change_log where id > \(newest) and type = 'comment' \
            and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid, id
            """
        let slow = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await slow.execute("begin")
        try await slow.execute("update comments set text = 'slow' where id = \(worldUUID(0x401))")
        let fast = """
            mutation { updateComment(input: {id: "\(worldID(.comment, 0x402))", text: "fast"}) { comment { id } } }
            """
        #expect(try await world.ask(fast, as: .ana).isData)
        #expect(try await world.texts(readable) == [])
        try await slow.execute("commit")
        await slow.close()
        // Other databases of the cluster hold back the oldest transaction no longer than theirs lasts.
        var seen: [String] = []
        try await eventually("both can be read, not \(seen) alone") {
            seen = try await world.texts(readable)
            return seen.count == 2
        }
        #expect(seen == ["401", "402"])
        await world.shutdown()
    }

    /// Where no other transaction changes the object, its row of the log is filed under the transaction that wrote it.
    @Test func theTransactionIsThatOfTheWrite() async throws {
        let world = try await World.make(writers: 8)
        for number in 0..<5 {
            let text = """
                mutation { addComment(input: {subjectId: "\(worldID(.thought, 0x202))", text: "\(number)"}) \
                { comment { id } } }
                """
            #expect(try await world.ask(text, as: .ana).isData)
        }
        let same = try await world.number(
            """
            select count(*) from comments c join change_log l on l.object_id = c.id \
            and l.xid::text::bigint % 4294967296 = c.xmin::text::bigint \
            where c.thought_id = \(worldUUID(0x202)) and (l.after).subject = c.thought_id \
            and (l.counted).status = 'PUBLISHED'
            """)
        #expect(same == 5)
        await world.shutdown()
    }

    @Test func partitionsAreMadeAhead() async throws {
        let world = try await World.make(writers: 8)
        let count: SQL = "select count(*) from pg_inherits where inhparent = 'change_log'::regclass"
        // Today and three days ahead, and the default.
        let made = try await world.number(count)
        #expect(made >= 5)
        #expect(try await world.number("select count(*) from change_log_default") == 0)
        _ = try await concurrently(4) { _ in
            try await world.environment.pools.worker.run(Segment(["select make_change_log_partitions(6)"]))
        }
        #expect(try await world.number(count) >= 8)
        let like = "mutation { likeThought(input: {thoughtId: \"\(worldID(.thought, 0x202))\"}) { thought { id } } }"
        #expect(try await world.ask(like, as: .ana).isData)
        #expect(try await world.number("select count(*) from change_log_default") == 0)
        // A day that has rows in the default partition already is no reason to fail.
        try await world.execute(
            script: """
                insert into change_log (at, type, object_id)
                values (now() + interval '9 days', 'user', '\(worldUUID(0xA))')
                """)
        _ = try await world.environment.pools.worker.run(Segment(["select make_change_log_partitions(10)"]))
        #expect(try await world.number(count) >= 11)
        #expect(try await world.number("select count(*) from change_log_default") == 1)
        await world.shutdown()
    }
}
