import Postgres
import Synchronization
import Testing

@testable import App

@Suite(.serialized) struct CounterAuditTests {
    private func audit(_ world: World, repairs: Bool) async throws -> CounterAudit.Outcome {
        let connection = try await DedicatedConnection.open(
            ConnectionConfiguration(world.url, role: "tertulia_worker"))
        let outcome = try await CounterAudit(connection).run(repairs: repairs)
        await connection.close()
        return outcome
    }

    @Test func findsNothingWhereAllIsWell() async throws {
        let world = try await World.make()
        let outcome = try await audit(world, repairs: false)
        #expect(outcome.drift == [])
        #expect(outcome.objects == 4 + 2 + 3)
        await world.shutdown()
    }

    /// Every counter of every table, one after another: none is forgotten, and each is repaired alone.
    @Test func findsAndRepairsEachCounter() async throws {
        let world = try await World.make()
        let columns = try await world.texts(
            """
            select table_name || ' ' || column_name from information_schema.columns where table_schema = 'public' \
            and table_name in ('thoughts', 'events') and (column_name like '%\\_count' or column_name like '%\\_total') \
            order by 1
            """)
        #expect(columns.count == 9)
        for column in columns {
            let (table, name) = (column.split(separator: " ")[0], column.split(separator: " ")[1])
            let id = worldUUID(table == "thoughts" ? 0x201 : 0x301)
            try await world.execute(
                script: """
                    set session_replication_role = replica;
                    update \(table) set \(name) = \(name) + 5 where id = '\(id)'
                    """)
            let found = try await audit(world, repairs: false)
            #expect(found.drift.map(\.counter) == [String(name)])
            #expect(found.drift.allSatisfy { $0.stored == $0.counted + 5 })
            let newest = try await world.number("select max(id) from change_log")
            #expect(try await audit(world, repairs: true).drift == found.drift)
            #expect(try await world.number("select count(*) from change_log where id > \(Int64(newest))") == 1)
            #expect(try await audit(world, repairs: false).drift == [])
        }
        await world.shutdown()
    }

    @Test func findsWhatHidesUnreadMessages() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                update conversation_members set newest_from_others = 0
                where conversation_id = '\(worldUUID(0x601))' and user_id = '\(worldUUID(0xB))'
                """)
        let found = try await audit(world, repairs: true).drift
        #expect(found.map(\.counter) == ["newest_from_others of 2"])
        #expect(found.map(\.counted) == [1])
        #expect(try await audit(world, repairs: false).drift == [])
        await world.shutdown()
    }

    /// Likes, comments and deletions at once with the audit: it tells of none, and what it repairs beside them is right.
    @Test(arguments: [false, true]) func isNotMisledByWhatIsWritten(_ repairs: Bool) async throws {
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(40, in: world)
        let thoughts = (0x201...0x203).map { worldID(.thought, $0) }
        if repairs {
            try await world.execute(
                script: """
                    set session_replication_role = replica;
                    update thoughts set like_count = like_count + 3, comment_count = comment_count - 1
                    """)
        }
        // Audits are still to begin while there are writes, and writes while there are audits.
        let left = Mutex((audits: 5, writers: 8))
        async let answers = concurrently(8) { number in
            defer { left.withLock { $0.writers -= 1 } }
            var answers: [Answer] = []
            while !Task.isCancelled, answers.count < 60 || left.withLock({ $0.audits > 0 }) {
                let written = answers.count
                let thought = thoughts[written % 3]
                let fields = [
                    "likeThought(input: { thoughtId: \"\(thought)\" })",
                    "addComment(input: { subjectId: \"\(thought)\", text: \"x\" })",
                    "rateThought(input: { thoughtId: \"\(thought)\", stars: \(1 + written % 5) })",
                    "unlikeThought(input: { thoughtId: \"\(thought)\" })",
                ]
                let mutation = "mutation { \(fields[written % 4]) { clientMutationId } }"
                answers.append(try await crowd.ask(mutation, as: number))
            }
            return answers
        }
        var found: [DriftedCounter] = []
        repeat {
            found += try await audit(world, repairs: repairs).drift
            left.withLock { $0.audits -= 1 }
        } while left.withLock { $0.writers > 0 }
        #expect(try await answers.flatMap(\.self).codes == ["OK"])
        // Each of the counters that were made to differ, once; the draft has two of them.
        #expect(found.count == (repairs ? 8 : 0), "\(found)")
        #expect(try await audit(world, repairs: false).drift == [])
        await world.shutdown()
    }

    @Test func theServersOwnAuditTellsItsMetrics() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                set session_replication_role = replica;
                update thoughts set like_count = 9 where id = '\(worldUUID(0x202))'
                """)
        let statistics = CounterAuditStatistics()
        #expect(statistics.drift == nil)
        let auditor = CounterAuditor(
            world.environment, ConnectionConfiguration(world.url, role: "tertulia_worker"), statistics: statistics)
        try await auditor.audit()
        #expect(statistics.drift == 1)
        #expect(statistics.objects == 9)
        #expect(try await audit(world, repairs: false).drift.count == 1)
        await world.shutdown()
    }
}
