import GraphQL
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// An event stays in memory until the last of its subscribers is done with it, and no longer.
@Suite(.timeLimit(.minutes(10))) struct EventReleaseTests {
    private static let thought = worldID(.thought, 0x201)
    private static let shared = "feedChanges { kind node { ... on Thought { text likeCount } } }"
    private static let own = "feedChanges { kind node { ... on Thought { text viewerHasLiked } } }"

    private static func create(_ live: LiveWorld, _ count: Int) async throws {
        for number in 1...count {
            let text = "mutation { createThought(input: {text: \"\(number)\", category: FUNNY}) { thought { id } } }"
            #expect(try await live.world.ask(text, as: .ana).isData)
        }
    }

    /// Begins a transaction. Until its end the tail reads no row that is written after this call.
    private static func holdBack(_ live: LiveWorld) async throws -> DedicatedConnection {
        let older = try await DedicatedConnection.open(ConnectionConfiguration(live.world.url))
        try await older.execute(script: "begin; select pg_current_xact_id()")
        return older
    }

    @Test func parkedSubscribersReleaseWhatTheyAreHanded() async throws {
        let live = try await LiveWorld.make()
        let witness = try await Witness(live)
        var subscribers: [Subscriber] = []
        for person in [Person.nobody, .nobody, .ben] {
            subscribers.append(try await live.subscribe(Self.shared, as: person))
        }
        for number in 1...10 {
            try await Self.create(live, 1)
            for subscriber in subscribers { _ = try await subscriber.take(number) }
        }
        try await witness.untilReleased(10)
        #expect(subscribers.allSatisfy { $0.handed > 0 })
        try await eventually("the responses are released") { subscribers.allSatisfy { $0.held == 0 } }
        await live.shutdown()
    }

    @Test func tasksReleaseWhatTheyRead() async throws {
        let live = try await LiveWorld.make()
        let witness = try await Witness(live)
        // Two selections and three viewers, one of whom is the author.
        var subscribers: [Subscriber] = []
        for person in [Person.nobody, .ben, .ana] {
            for text in [Self.shared, Self.own] { subscribers.append(try await live.subscribe(text, as: person)) }
        }
        try await Self.create(live, 10)
        for subscriber in subscribers { _ = try await subscriber.take(10) }
        try await witness.untilReleased(10)
        await live.shutdown()
    }

    /// Two changes of counters that the tail reads together: the second is held back.
    @Test func countersThatWereHeldBackAreReleased() async throws {
        let live = try await LiveWorld.make()
        let witness = try await Witness(live)
        let subscriber = try await live.subscribe(Self.shared, as: .nobody)
        let older = try await Self.holdBack(live)
        for field in ["likeThought", "unlikeThought"] {
            let text = "mutation { \(field)(input: {thoughtId: \"\(Self.thought)\"}) { userErrors { code } } }"
            #expect(try await live.world.ask(text, as: .mod).isData)
        }
        try await older.execute(script: "commit")
        await older.close()
        _ = try await subscriber.take(2)
        try await witness.untilReleased(2)
        await live.shutdown()
    }

    /// The thought has become a draft before it is read for all, so each subscriber reads it.
    @Test func changesThatCannotBeSharedAreReleased() async throws {
        let live = try await LiveWorld.make()
        let witness = try await Witness(live)
        let subscribers = [
            try await live.subscribe(Self.shared, as: .nobody), try await live.subscribe(Self.shared, as: .ben),
        ]
        try await eventually("both are parked") { subscribers.allSatisfy(\.isCaughtUp) }
        let older = try await Self.holdBack(live)
        let update = "update thoughts set category = 'CRAZY' where id = '\(worldUUID(0x201))'"
        let hide = "update thoughts set status = 'DRAFT', published_at = null where id = '\(worldUUID(0x201))'"
        try await live.world.execute(script: update)
        try await older.execute(script: "\(hide); commit")
        await older.close()
        for subscriber in subscribers {
            #expect(try await subscriber.take(1).map { $0.string("feedChanges", "kind") } == ["REMOVED"])
        }
        try await witness.untilReleased(2)
        await live.shutdown()
    }

    @Test func refusedResponsesAreReleased() async throws {
        let live = try await LiveWorld.make()
        let witness = try await Witness(live)
        let (slow, quick) = (
            try await live.subscribe(Self.shared, as: .nobody), try await live.subscribe(Self.shared, as: .nobody)
        )
        slow.setFull(true)
        try await Self.create(live, 10)
        _ = try await quick.take(10)
        try await witness.until(10)
        #expect(slow.count == 0)
        #expect(witness.held > 0)
        slow.setFull(false)
        _ = try await slow.take(10)
        try await witness.untilReleased(10)
        await live.shutdown()
    }

    @Test func changesForASubscriberThatLeavesAreReleased() async throws {
        let live = try await LiveWorld.make()
        let witness = try await Witness(live)
        let slow = try await live.subscribe(Self.shared, as: .nobody)
        let unread = try await live.stream(Self.own, live.world.context(as: .ben))
        slow.setFull(true)
        try await Self.create(live, 10)
        try await witness.until(10)
        #expect(witness.held > 0)
        slow.close()
        unread.stop()
        try await witness.untilReleased(10)
        #expect(slow.count == 0)
        await live.shutdown()
    }
}

/// A subscriber of the feed that refers weakly to what the subscribers share of each change.
private final class Witness: Sendable {
    private struct Event {
        weak let change: SharedChange?
        weak let reading: SharedReading?
        weak let audience: EventAudience<RequestContext>?

        var isHeld: Bool { change != nil || reading != nil || audience != nil }
    }

    private final class Events: Sendable {
        let noted = Mutex<[Event]>([])
    }

    private let events = Events()
    private let task: Task<Void, any Error>

    init(_ live: LiveWorld) async throws {
        let context = live.world.context(as: .nobody)
        let stream = try await ChangeStream(FeedChanges(filter: FeedFilter()), after: nil, context)
        task = Task { [events] in
            for try await matched in stream {
                let reading = SharedReading.of(matched.shared, try #require(TypeID(matched.shared.change.object)))
                let audience = reading.everybody(matched.kind, context.environment)
                let event = Event(change: matched.shared, reading: reading, audience: audience)
                events.noted.withLock { $0.append(event) }
            }
        }
    }

    deinit { task.cancel() }

    var held: Int { events.noted.withLock { $0.count(where: \.isHeld) } }

    /// Waits until the witness has noted so many events.
    func until(_ count: Int) async throws {
        try await eventually("\(count) events, not \(events.noted.withLock { $0.count })") {
            events.noted.withLock { $0.count } >= count
        }
    }

    /// Waits until the witness has noted so many events, and all of them are released.
    func untilReleased(_ count: Int) async throws {
        try await until(count)
        try await eventually("\(held) of \(count) events are released") { held == 0 }
    }
}
