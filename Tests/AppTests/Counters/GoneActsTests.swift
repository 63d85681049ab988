import Postgres
import Testing

@testable import App

/// Counters are right for everybody who does not see a deleted account any more, from the same moment on.
@Suite struct GoneActsTests {
    private static let thought = worldID(.thought, 0x201)
    private static let event = worldID(.event, 0x302)
    private static let read = """
        { thought(id: "\(thought)") { likeCount commentCount saveCount rating { count total average } \
        comments { nodes { id } } likers { nodes { id } } } \
        event(id: "\(event)") { interestedCount goingCount commentCount attendees { nodes { id } } } }
        """
    /// What ben and the moderator did to what is ana's.
    private static let acts = """
        insert into thought_likes (thought_id, user_id) values ('\(worldUUID(0x201))', '\(worldUUID(0xC))');
        insert into thought_saves (thought_id, user_id) values
          ('\(worldUUID(0x201))', '\(worldUUID(0xB))'), ('\(worldUUID(0x201))', '\(worldUUID(0xC))');
        insert into thought_ratings (thought_id, user_id, stars) values
          ('\(worldUUID(0x201))', '\(worldUUID(0xB))', 1), ('\(worldUUID(0x201))', '\(worldUUID(0xC))', 5);
        insert into thought_shares (thought_id, user_id) values ('\(worldUUID(0x201))', '\(worldUUID(0xB))');
        insert into event_rsvps (event_id, user_id, status) values
          ('\(worldUUID(0x302))', '\(worldUUID(0xB))', 'GOING'), ('\(worldUUID(0x302))', '\(worldUUID(0xC))', 'INTERESTED');
        insert into comments (id, author_id, event_id, text) values
          ('\(worldUUID(0x4F1))', '\(worldUUID(0xB))', '\(worldUUID(0x302))', 'x'),
          ('\(worldUUID(0x4F2))', '\(worldUUID(0xC))', '\(worldUUID(0x302))', 'y');
        """

    @Test func theyLeaveOutWhatGonePeopleDid() async throws {
        let world = try await World.make()
        try await world.execute(script: Self.acts)
        let before = try await world.ask(Self.read, as: .ana)
        #expect(before.int("thought", "likeCount") == 3)
        #expect(before.int("event", "goingCount") == 1)
        let delete = "mutation { deleteAccount(input: {password: \"correct horse battery\"}) { userErrors { code } } }"
        #expect(try await world.ask(delete, as: .ben).isData)

        // Nothing of it is removed yet: the rows and their counters are as they were.
        #expect(try await world.number("select like_count from thoughts where id = \(worldUUID(0x201))") == 3)
        let answer = try await world.ask(Self.read, as: .ana)
        #expect(answer.int("thought", "likeCount") == 2)
        #expect(answer.int("thought", "commentCount") == 1)
        #expect(answer.int("thought", "saveCount") == 1)
        #expect(answer.int("thought", "rating", "count") == 1)
        #expect(answer.int("thought", "rating", "total") == 5)
        #expect(answer.int("event", "goingCount") == 0)
        #expect(answer.int("event", "interestedCount") == 1)
        #expect(answer.int("event", "commentCount") == 1)
        #expect(!answer.text.contains(worldID(.user, 0xB)))
        #expect(try await world.rows(CounterDrift()) == [])

        // Row by row, with the stored counters, and after that.
        var isLeft = true
        while isLeft {
            let step: SQL = "select remove_deleted_account(\(worldUUID(0xB)), 1)"
            isLeft = try await world.environment.pools.worker.run(Segment([step])).first?.first?.bool(0) ?? false
            #expect(try await world.ask(Self.read, as: .ana).text == answer.text)
        }
        #expect(try await world.number("select count(*) from deleted_accounts") == 0)
        #expect(try await world.number("select like_count from thoughts where id = \(worldUUID(0x201))") == 2)
        #expect(try await world.rows(CounterDrift()) == [])
        await world.shutdown()
    }

    /// What a mutation answers with, and what lists show, is counted the same way.
    @Test func inAllThatShowsCounters() async throws {
        let world = try await World.make()
        try await world.execute(
            script: Self.acts + "insert into deleted_accounts (user_id) values ('\(worldUUID(0xB))')")
        try await world.rank()
        let thought = "... on Thought { likeCount commentCount }"
        let documents = [
            "{ feed { nodes { id \(thought) } } }", "{ thoughts(order: MOST_LIKED) { nodes { id \(thought) } } }",
            "{ node(id: \"\(Self.thought)\") { id \(thought) } }",
            "{ user(by: {username: \"ana\"}) { thoughts { nodes { id \(thought) } } } }",
            "{ search(query: \"first\") { nodes { ... on Thought { id } \(thought) } } }",
            "mutation { likeThought(input: {thoughtId: \"\(Self.thought)\"}) { thought { id \(thought) } } }",
        ]
        for document in documents {
            let text = try await world.ask(document, as: .mod).text
            #expect(
                text.contains("\"id\":\"\(Self.thought)\",\"likeCount\":2,\"commentCount\":1}"), "\(document): \(text)")
        }
        await world.shutdown()
    }
}
