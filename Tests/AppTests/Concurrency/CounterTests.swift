import Testing

@testable import App

/// Hundreds of writes at once: afterwards every counter equals its rows.
@Suite(.serialized) struct CounterTests {
    private let thought = worldID(.thought, 0x201)
    private let event = worldID(.event, 0x301)

    @Test func likesAndUnlikes() async throws {
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(40, in: world)
        let answers = try await concurrently(400) { number in
            let mutation = number % 5 == 4 ? "unlikeThought" : "likeThought"
            let field = "\(mutation)(input: {thoughtId: \"\(thought)\"}) { thought { likeCount } }"
            return try await crowd.ask("mutation { \(field) }", as: number / 3)
        }
        #expect(answers.codes == ["OK"])
        #expect(try await world.rows(CounterDrift()) == [])
        let likes = try await world.number("select count(*) from thought_likes where thought_id = \(worldUUID(0x201))")
        let asked = try await world.ask("{ thought(id: \"\(thought)\") { likeCount } }", as: .nobody)
        #expect(asked.int("thought", "likeCount") == likes)
        #expect(try await world.deadlocks() == 0)
    }

    @Test func comments() async throws {
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(30, in: world)
        let answers = try await concurrently(300) { number in
            let added = try await crowd.ask(
                """
                mutation { addComment(input: {subjectId: "\(number % 3 == 0 ? event : thought)", text: "\(number)"}) \
                { comment { id } } }
                """, as: number)
            guard number % 4 == 0, let id = added.string("addComment", "comment", "id") else { return added }
            return try await crowd.ask("mutation { deleteComment(input: {id: \"\(id)\"}) { deletedId } }", as: number)
        }
        #expect(answers.codes == ["OK"])
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.number("select count(*) from comments") == 3 + 300 - 75)
        #expect(
            try await world.number("select comment_count from thoughts where id = \(worldUUID(0x201))")
                == 2 + 200 - 50)
        #expect(try await world.deadlocks() == 0)
    }

    @Test func rsvps() async throws {
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(30, in: world)
        let answers = try await concurrently(360) { number in
            let input =
                switch number % 4 {
                case 0, 1: "rsvp(input: {eventId: \"\(event)\", status: GOING})"
                case 2: "rsvp(input: {eventId: \"\(event)\", status: INTERESTED})"
                default: "cancelRsvp(input: {eventId: \"\(event)\"})"
                }
            return try await crowd.ask("mutation { \(input) { event { goingCount } } }", as: number * 7 / 3)
        }
        #expect(answers.codes == ["OK"])
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.deadlocks() == 0)
    }

    /// The recount itself: it has to see a counter that is wrong.
    @Test func driftIsSeen() async throws {
        let world = try await World.make(writers: 8)
        try await world.execute(
            script: """
                update thoughts set like_count = 7, save_count = 1, rating_total = 2, rating_count = 3,
                comment_count = 0 where id = '\(worldUUID(0x201))';
                update events set going_count = 4, interested_count = 5, comment_count = 6
                where id = '\(worldUUID(0x301))'
                """)
        let drift = try await world.rows(CounterDrift())
        #expect(
            Set(drift.map(\.counter)) == [
                "like_count", "save_count", "rating_total", "rating_count", "comment_count", "going_count",
                "interested_count",
            ])
        #expect(drift.count == 8)
        #expect(drift.first { $0.counter == "like_count" }?.counted == 2)
        await world.shutdown()
    }
}
