import Postgres
import Testing

@testable import App

/// Hundreds of blocks and unblocks among the same people at once: afterwards each has hidden whom the rows say.
@Suite(.serialized) struct BlockTests {
    private static let drift: SQL = """
        select u.id::text from users u left join hidden_people h on h.viewer_id = u.id \
        where array(select unnest(h.blocked) order by 1) \
        <> array(select blocked_id from blocks where blocker_id = u.id order by 1) \
        or array(select unnest(h.blocked_by) order by 1) \
        <> array(select blocker_id from blocks where blocked_id = u.id order by 1)
        """

    @Test func ofTheSamePeople() async throws {
        let world = try await World.make(writers: 8)
        let crowd = try await Crowd(8, in: world)
        let answers = try await concurrently(400) { number in
            let (one, other) = (number * 5 / 3, number * 7 + 1)
            let person = TypeID(.user, crowd.user(other))
            let mutation = number % 3 == 2 ? "unblockUser" : "blockUser"
            return try await crowd.ask(
                "mutation { \(mutation)(input: {userId: \"\(person)\"}) { userErrors { code field } } }", as: one)
        }
        // Somebody who blocked one is not found, and nobody blocks oneself.
        #expect(answers.codes.isSubset(of: ["OK", "NOT_FOUND", "NOT_ALLOWED userId"]), "\(answers.codes)")
        #expect(try await world.number("select count(*) from blocks") > 0)
        #expect(try await world.texts(Self.drift) == [])
        try await world.execute(script: "delete from users where id = '\(crowd.user(0))'")
        #expect(try await world.texts(Self.drift) == [])
        #expect(try await world.deadlocks() == 0)
    }

    /// As when an account becomes part of another.
    @Test func thatBecomeAnothersAreKnown() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(0xD))', '\(worldUUID(0xB))'),
                  ('\(worldUUID(0xC))', '\(worldUUID(0xD))');
                update blocks set blocker_id = '\(worldUUID(0xA))' where blocker_id = '\(worldUUID(0xD))';
                update blocks set blocked_id = '\(worldUUID(0xA))' where blocked_id = '\(worldUUID(0xD))';
                """)
        #expect(try await world.texts(Self.drift) == [])
        let hidden: SQL = """
            select viewer_id::text from hidden_people where viewer_id = \(worldUUID(0xA)) \
            and blocked <> '{}' and blocked_by <> '{}'
            """
        #expect(try await world.texts(hidden).count == 1)
        await world.shutdown()
    }

    /// The recount itself: it has to see what is wrong.
    @Test func driftIsSeen() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(0xA))', '\(worldUUID(0xB))');
                update hidden_people set blocked_by = '{}' where viewer_id = '\(worldUUID(0xB))';
                """)
        #expect(try await world.texts(Self.drift) == [worldUUID(0xB).description])
        await world.shutdown()
    }
}
