import Postgres
import Testing

@testable import App

/// Two writes lined up before one lock, so that they meet in the order in which they would wait for each other if a row
/// were locked before what counts it.
@Suite struct LockOrderTests {
    struct Meeting: Sendable {
        /// What both need.
        let lock: SQL
        let first: (Person, String)
        let second: (Person, String)
    }

    private static let thought: SQL = "select from thoughts where id = \(worldUUID(0x201)) for update"
    private static let event: SQL = "select from events where id = \(worldUUID(0x301)) for update"
    private static let deleteThought = (Person.ana, "deleteThought(input: {id: \"\(worldID(.thought, 0x201))\"})")
    private static let deleteEvent = (Person.ben, "deleteEvent(input: {id: \"\(worldID(.event, 0x301))\"})")

    private static func mark(_ name: String, _ input: String = "") -> (Person, String) {
        (.ben, "\(name)(input: {thoughtId: \"\(worldID(.thought, 0x201))\"\(input)})")
    }

    static let meetings: [Meeting] = [
        Meeting(lock: thought, first: deleteThought, second: mark("unsaveThought")),
        Meeting(lock: thought, first: deleteThought, second: mark("unrateThought")),
        Meeting(lock: thought, first: deleteThought, second: mark("rateThought", ", stars: 5")),
        Meeting(
            lock: thought, first: deleteThought,
            second: (.ben, "deleteComment(input: {id: \"\(worldID(.comment, 0x401))\"})")),
        Meeting(
            lock: thought, first: deleteThought,
            second: (.ben, "unlikeThought(input: {thoughtId: \"\(worldID(.thought, 0x201))\"})")),
        Meeting(
            lock: event, first: deleteEvent,
            second: (.ana, "deleteComment(input: {id: \"\(worldID(.comment, 0x403))\"})")),
        Meeting(
            lock: event, first: deleteEvent,
            second: (.ana, "cancelRsvp(input: {eventId: \"\(worldID(.event, 0x301))\"})")),
        Meeting(
            lock: event, first: deleteEvent,
            second: (.ana, "rsvp(input: {eventId: \"\(worldID(.event, 0x301))\", status: INTERESTED})")),
        Meeting(
            lock: event, first: deleteEvent,
            second: (.ben, "updateEvent(input: {id: \"\(worldID(.event, 0x301))\", name: \"x\"})")),
    ]

    @Test(arguments: meetings.indices) func neitherWaitsForTheOther(_ index: Int) async throws {
        let meeting = Self.meetings[index]
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into thought_saves (thought_id, user_id) values ('\(worldUUID(0x201))', '\(worldUUID(0xB))');
                insert into thought_ratings (thought_id, user_id, stars)
                  values ('\(worldUUID(0x201))', '\(worldUUID(0xB))', 1);
                """)
        let blocker = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await blocker.execute("begin")
        try await blocker.execute(meeting.lock)
        let first = Task { try await ask(meeting.first, world) }
        try await world.untilWaiting(1)
        let second = Task { try await ask(meeting.second, world) }
        try await world.untilWaiting(2)
        try await blocker.execute("commit")
        await blocker.close()
        #expect(try await first.value.isData)
        #expect(try await second.value.code == "NOT_FOUND")
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.deadlocks() == 0)
    }

    /// A report is decided while what it is about goes: the decision holds, and removes nothing twice.
    @Test(arguments: [true, false]) func aDecisionMeetsADeletion(ofAComment: Bool) async throws {
        let world = try await World.make()
        let (type, subject) = ofAComment ? ("comment", 0x401 as UInt64) : ("thought", 0x201)
        try await world.execute(
            script: """
                insert into reports (id, reporter_id, subject_type, subject_id, reason) values
                  ('\(worldUUID(0x601))', '\(worldUUID(0xA))', '\(type)', '\(worldUUID(subject))', 'SPAM')
                """)
        let blocker = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await blocker.execute("begin")
        try await blocker.execute(Self.thought)
        let deletion = Task { try await ask(Self.deleteThought, world) }
        try await world.untilWaiting(1)
        let decision = Task {
            try await ask(
                (.mod, "resolveReport(input: {id: \"\(worldID(.report, 0x601))\", removeContent: true})"), world)
        }
        try await world.untilWaiting(2)
        try await blocker.execute("commit")
        await blocker.close()
        #expect(try await deletion.value.isData)
        #expect(try await decision.value.isData)
        #expect(try await world.texts("select status from reports") == ["CONTENT_REMOVED"])
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.deadlocks() == 0)
    }

    /// A moderator deletes a comment while the account that wrote it goes.
    @Test func anAccountLocksWhatItCountsInFirst() async throws {
        let world = try await World.make()
        try await world.execute(script: "delete from event_rsvps")
        let blocker = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await blocker.execute("begin")
        try await blocker.execute(Self.event)
        let moderation = Task {
            try await ask((.mod, "deleteComment(input: {id: \"\(worldID(.comment, 0x403))\"})"), world)
        }
        try await world.untilWaiting(1)
        let deletion = Task { try await world.execute(script: "delete from users where id = '\(worldUUID(0xA))'") }
        try await world.untilWaiting(2)
        try await blocker.execute("commit")
        await blocker.close()
        #expect(try await moderation.value.isData)
        try await deletion.value
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.deadlocks() == 0)
    }

    /// A rating locks its account before its thought, as the account's deletion does.
    @Test func aRatingMeetsTheEndOfItsAccount() async throws {
        let world = try await World.make()
        let blocker = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await blocker.execute("begin")
        try await blocker.execute(Self.thought)
        let deletion = Task { try await world.execute(script: "delete from users where id = '\(worldUUID(0xB))'") }
        try await world.untilWaiting(1)
        let rating = Task { try await ask(Self.mark("rateThought", ", stars: 5"), world) }
        try await world.untilWaiting(2)
        try await blocker.execute("commit")
        await blocker.close()
        try await deletion.value
        #expect(try await rating.value.code == "NOT_FOUND")
        #expect(try await world.rows(CounterDrift()) == [])
        #expect(try await world.deadlocks() == 0)
    }

    private func ask(_ step: (Person, String), _ world: World) async throws -> Answer {
        try await world.ask("mutation { \(step.1) { clientMutationId } }", as: step.0)
    }
}
