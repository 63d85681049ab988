import Postgres
import Testing

@testable import App

/// What is deleted while others write to it: no write is lost or counted twice, and nobody sees a deadlock.
@Suite(.serialized) struct DeletionTests {
    /// Thoughts 0x700… and events 0x800… of ana's, each with a comment, a like or an RSVP of every member.
    private static func fill(_ world: World, rounds: Int, members: Int) async throws {
        try await world.execute(
            script: """
                create temporary table made as select n,
                  ('019b7600-0000-7000-8000-0000000007' || lpad(to_hex(n), 2, '0'))::uuid as thought,
                  ('019b7600-0000-7000-8000-0000000008' || lpad(to_hex(n), 2, '0'))::uuid as event
                from generate_series(0, \(rounds - 1)) as n;
                insert into thoughts (id, author_id, category, text, status, published_at)
                  select thought, '\(worldUUID(0xA))', 'FUNNY', 'x', 'PUBLISHED', now() from made;
                insert into events (id, author_id, name, description, starts_at, ends_at)
                  select event, '\(worldUUID(0xA))', 'x', 'x', '2099-01-01', '2099-01-02' from made;
                insert into thought_likes (thought_id, user_id)
                  select thought, id from made, users where username like 'member%';
                insert into event_rsvps (event_id, user_id, status)
                  select event, id, 'GOING' from made, users where username like 'member%';
                insert into comments (id, author_id, thought_id, text)
                  select ('019b7600-0000-7000-8000-0000' || lpad(to_hex(x'd00000'::integer + n * 256
                    + substr(username, 7)::integer), 8, '0'))::uuid, id, thought, 'x'
                  from made, users where username like 'member%';
                """)
    }

    private static func mutation(_ number: Int, round: Int, member: Int) -> String {
        let thought = worldID(.thought, 0x700 + UInt64(round))
        let event = worldID(.event, 0x800 + UInt64(round))
        let comment = worldID(.comment, 0xD00000 + UInt64(round) * 256 + UInt64(member))
        let field =
            switch number % 11 {
            case 0: "unlikeThought(input: {thoughtId: \"\(thought)\"})"
            case 1: "likeThought(input: {thoughtId: \"\(thought)\"})"
            case 2: "deleteComment(input: {id: \"\(comment)\"})"
            case 3: "addComment(input: {subjectId: \"\(thought)\", text: \"x\"})"
            case 4: "updateComment(input: {id: \"\(comment)\", text: \"y\"})"
            case 5: "rsvp(input: {eventId: \"\(event)\", status: INTERESTED})"
            case 8: "rateThought(input: {thoughtId: \"\(thought)\", stars: \(1 + member % 5)})"
            case 9: "saveThought(input: {thoughtId: \"\(thought)\"})"
            case 10: "unrateThought(input: {thoughtId: \"\(thought)\"})"
            case 6: "cancelRsvp(input: {eventId: \"\(event)\"})"
            default: "addComment(input: {subjectId: \"\(event)\", text: \"x\"})"
            }
        return "mutation { \(field) { clientMutationId } }"
    }

    @Test func ofThoughtsAndEventsInTheMiddle() async throws {
        let (rounds, members, perRound) = (8, 16, 66)
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(members, in: world)
        try await Self.fill(world, rounds: rounds, members: members)
        let answers = try await concurrently(rounds * perRound) { number in
            let (round, step) = number.quotientAndRemainder(dividingBy: perRound)
            switch step {
            case 20:
                let id = worldID(.thought, 0x700 + UInt64(round))
                return try await world.ask("mutation { deleteThought(input: {id: \"\(id)\"}) { deletedId } }", as: .ana)
            case 24:
                let id = worldID(.event, 0x800 + UInt64(round))
                return try await world.ask("mutation { deleteEvent(input: {id: \"\(id)\"}) { deletedId } }", as: .mod)
            default:
                let member = step * 5 % members
                return try await crowd.ask(Self.mutation(step, round: round, member: member), as: member)
            }
        }
        #expect(answers.codes.isSubset(of: ["OK", "NOT_FOUND"]), "\(answers.codes)")
        for round in 0..<rounds {
            #expect(answers[round * perRound + 20].isData)
            #expect(answers[round * perRound + 24].isData)
        }
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.number("select count(*) from thoughts") == 4)
        #expect(try await world.number("select count(*) from events") == 2)
        #expect(try await world.deadlocks() == 0)
    }

    @Test func ofAccountsInTheMiddle() async throws {
        let (rounds, members) = (6, 24)
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(members, in: world)
        try await Self.fill(world, rounds: rounds, members: members)
        // Half of the members go, and with the last of them ana, whose thoughts and events all these are.
        async let deletions: Void = {
            let connection = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
            for number in stride(from: 0, to: members, by: 2) {
                try await connection.execute("delete from users where id = \(crowd.user(number))")
            }
            try await connection.execute("delete from users where id = \(worldUUID(0xA))")
            await connection.close()
        }()
        let answers = try await concurrently(480) { number in
            try await crowd.ask(
                Self.mutation(number, round: number % rounds, member: number * 5 % members), as: number * 5)
        }
        try await deletions
        // An account that is gone is no member any more.
        #expect(answers.codes.isSubset(of: ["OK", "NOT_FOUND", "FORBIDDEN"]), "\(answers.codes)")
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.number("select count(*) from users") == 3 + members / 2)
        #expect(try await world.deadlocks() == 0)
    }
}
