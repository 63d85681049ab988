import Postgres
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

    @Test func savesRatingsAndShares() async throws {
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(30, in: world)
        let answers = try await concurrently(480) { number in
            let input = "input: {thoughtId: \"\(thought)\""
            let field =
                switch number % 8 {
                case 0: "saveThought(\(input)})"
                case 1: "unsaveThought(\(input)})"
                case 2, 3, 4: "rateThought(\(input), stars: \(1 + number / 8 % 5)})"
                case 5: "unrateThought(\(input)})"
                case 6: "shareThought(\(input)})"
                default: "saveThought(\(input), clientMutationId: \"m\"})"
                }
            return try await crowd.ask("mutation { \(field) { clientMutationId } }", as: number * 7 / 3)
        }
        #expect(answers.codes == ["OK"])
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.number("select share_count from thoughts where id = \(worldUUID(0x201))") == 60)
        let asked = try await world.ask("{ thought(id: \"\(thought)\") { rating { count total } } }", as: .nobody)
        let (count, total) = (asked.int("thought", "rating", "count"), asked.int("thought", "rating", "total"))
        #expect(try await world.number("select count(*) from thought_ratings") == count)
        #expect(try await world.number("select coalesce(sum(stars), 0) from thought_ratings") == total)
        #expect(try await world.deadlocks() == 0)
    }

    /// The shares of an account that goes stay counted; its saves and ratings go.
    @Test func anAccountThatGoes() async throws {
        let world = try await World.make()
        for field in [
            "saveThought(input: {thoughtId: \"\(thought)\"})", "shareThought(input: {thoughtId: \"\(thought)\"})",
        ] {
            #expect(try await world.ask("mutation { \(field) { userErrors { code } } }", as: .ben).isData)
        }
        let rate = "rateThought(input: {thoughtId: \"\(thought)\", stars: 4})"
        #expect(try await world.ask("mutation { \(rate) { userErrors { code } } }", as: .ben).isData)
        try await world.execute(script: "delete from users where id = '\(worldUUID(0xB))'")
        #expect(try await world.rows(CounterDrift()) == [])
        let counts: SQL = """
            select concat_ws(' ', save_count, share_count, rating_count, rating_total) from thoughts \
            where id = \(worldUUID(0x201))
            """
        #expect(try await world.texts(counts) == ["0 1 0 0"])
        await world.shutdown()
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
                update thoughts set like_count = 7, save_count = 1, share_count = 3, rating_total = 2, rating_count = 3,
                comment_count = 0 where id = '\(worldUUID(0x201))';
                update events set going_count = 4, interested_count = 5, comment_count = 6
                where id = '\(worldUUID(0x301))'
                """)
        let drift = try await world.rows(CounterDrift())
        #expect(
            Set(drift.map(\.counter)) == [
                "like_count", "save_count", "share_count", "rating_total", "rating_count", "comment_count",
                "going_count",
                "interested_count",
            ])
        #expect(drift.count == 9)
        #expect(drift.first { $0.counter == "like_count" }?.counted == 2)
        await world.shutdown()
    }
}
