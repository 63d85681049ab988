import Postgres
import TestSupport
import Testing

@testable import App

/// The orders by likes, comments and ratings follow the counters.
@Suite struct ThoughtRanksTests {
    /// Every rank that differs from its counter, is missing, or stands for a thought that is not published.
    private static let drift: SQL = """
        select coalesce(t.id, r.thought_id)::text || ' ' || coalesce(t.kind, r.kind) from ( \
        select id, kind, rank from thoughts cross join lateral (values ('MOST_LIKED', like_count), \
        ('MOST_DISCUSSED', comment_count), ('BEST_RATED', 1000 * (rating_total + 15) / (rating_count + 5)) \
        ) as ranks (kind, rank) where status = 'PUBLISHED') as t \
        full join thought_ranks r on r.thought_id = t.id and r.kind = t.kind \
        where t.rank is distinct from r.rank
        """
    private static let position: SQL = "select id from thought_ranks_position"

    private func like(_ low: UInt64, _ verb: String = "like") -> String {
        "mutation { \(verb)Thought(input: {thoughtId: \"\(worldID(.thought, low))\"}) { thought { id } } }"
    }

    /// All rows of the log are done with once no transaction runs that was there when they were written.
    private func settle(_ world: World) async throws {
        let newest = try await world.number("select max(id) from change_log")
        try await eventually("the ranks are past row \(newest)") {
            try await world.rank()
            return try await world.number(Self.position) >= newest
        }
    }

    @Test func theyConvergeAfterHundredsOfWritesAtOnce() async throws {
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(60, in: world)
        _ = try await concurrently(400) { number in
            let thought: UInt64 = [0x201, 0x202, 0x203][number % 3]
            switch number % 7 {
            case 0: return try await crowd.ask(like(thought, "unlike"), as: number)
            case 1...3: return try await crowd.ask(like(thought), as: number)
            case 4: try await world.rank()
            default: break
            }
            return try await crowd.ask(
                """
                mutation { addComment(input: {subjectId: "\(worldID(.thought, thought))", text: "x"}) { comment { id } } }
                """, as: number)
        }
        #expect(try await world.number("select sum(like_count) from thoughts") > 20)
        try await settle(world)
        #expect(try await world.texts(Self.drift) == [])
        await world.shutdown()
    }

    @Test func thoughtsComeAndGo() async throws {
        let world = try await World.make()
        let id = worldID(.thought, 0x2FF)
        let steps = [
            "createThought(input: {id: \"\(id)\", category: FUNNY, text: \"x\"})",
            "unpublishThought(input: {id: \"\(id)\"})", "publishThought(input: {id: \"\(id)\"})",
            "deleteThought(input: {id: \"\(id)\"})",
        ]
        for (step, ranks) in zip(steps, [3, 0, 3, 0]) {
            #expect(try await world.ask("mutation { \(step) { clientMutationId } }", as: .ana).isData)
            try await world.rank()
            #expect(
                try await world.number("select count(*) from thought_ranks where thought_id = \(worldUUID(0x2FF))")
                    == ranks, "\(step)")
            #expect(try await world.texts(Self.drift) == [])
        }
        await world.shutdown()
    }

    /// Before anything has been ranked: who made it finds it in each list.
    @Test func aThoughtIsListedFromItsPublicationOn() async throws {
        let world = try await World.make()
        try await world.rank()
        let id = worldID(.thought, 0x2FF)
        let published = worldID(.thought, 0x2FE)
        func orders(_ id: String) async throws -> Int {
            var count = 0
            for order in ["NEWEST", "MOST_LIKED", "BEST_RATED", "MOST_DISCUSSED"] {
                let list = try await world.ask("{ thoughts(order: \(order)) { nodes { id } } }", as: .ben)
                if list.text.contains(id) { count += 1 }
            }
            return count
        }
        let steps = [
            ("createThought(input: {id: \"\(id)\", category: FUNNY, text: \"x\", status: DRAFT})", 0),
            ("publishThought(input: {id: \"\(id)\"})", 4), ("unpublishThought(input: {id: \"\(id)\"})", 0),
            ("publishThought(input: {id: \"\(id)\"})", 4), ("deleteThought(input: {id: \"\(id)\"})", 0),
            ("createThought(input: {id: \"\(id)\", category: FUNNY, text: \"x\"})", 4),
        ]
        for (step, count) in steps {
            #expect(try await world.ask("mutation { \(step) { clientMutationId } }", as: .ana).isData)
            #expect(try await orders(id) == count, "\(step)")
        }
        // The rank of a deleted thought is kept for a while, so only a new id shows that the thought gets one.
        let create = "createThought(input: {id: \"\(published)\", category: FUNNY, text: \"x\"})"
        #expect(try await world.ask("mutation { \(create) { clientMutationId } }", as: .ana).isData)
        #expect(try await orders(published) == 4)
        try await world.rank()
        #expect(try await world.texts(Self.drift) == [])
        await world.shutdown()
    }

    /// The unpublished one is not listed although its rank is still there.
    @Test func aRankShowsNothingByItself() async throws {
        let world = try await World.make()
        let list = "{ thoughts(order: MOST_LIKED) { nodes { id } } }"
        let id = worldID(.thought, 0x201)
        #expect(try await world.ask(list, as: .ben).text.contains("\(id)"))
        let unpublish = "mutation { unpublishThought(input: {id: \"\(id)\"}) { thought { id } } }"
        #expect(try await world.ask(unpublish, as: .ana).isData)
        for person in [Person.ana, .ben] { #expect(try await !world.ask(list, as: person).text.contains("\(id)")) }
        #expect(try await world.texts(Self.drift).count == 3)
        await world.shutdown()
    }

    /// A transaction that began earlier and commits later is not passed over.
    @Test func aSlowTransactionIsWaitedFor() async throws {
        let world = try await World.make()
        try await settle(world)
        let slow = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await slow.execute("begin")
        try await slow.execute("insert into thought_likes values (\(worldUUID(0x202)), \(worldUUID(0xC)), now())")
        let before = try await world.number(Self.position)
        #expect(try await world.ask(like(0x203), as: .mod).isData)
        try await world.rank()
        #expect(try await world.texts(Self.drift) == [], "What has committed is applied.")
        #expect(try await world.number(Self.position) == before)
        try await slow.execute("commit")
        await slow.close()
        try await settle(world)
        #expect(try await world.texts(Self.drift) == [])
        #expect(try await world.number(Self.position) > before)
        await world.shutdown()
    }

    @Test func aRestoredDatabaseGoesOn() async throws {
        let world = try await World.make()
        try await world.execute(script: "update thought_ranks_position set xid = '999999999999'")
        #expect(try await world.ask(like(0x203), as: .ben).isData)
        try await settle(world)
        #expect(try await world.texts(Self.drift) == [])
        await world.shutdown()
    }

    @Test func oneReplicaAtATime() async throws {
        let world = try await World.make()
        try await world.rank()
        #expect(try await world.ask(like(0x203), as: .ben).isData)
        let ranks = ThoughtRanks(world.environment)
        try await ranks.refresh(lease: 3600)
        #expect(try await world.texts(Self.drift).count == 1)
        try await ranks.refresh(lease: 0)
        #expect(try await world.texts(Self.drift) == [])
        await world.shutdown()
    }
}
