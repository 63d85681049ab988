import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// Subscribers that wait without a task.
@Suite struct ParkedTests {
    private static func create(_ text: String) -> String {
        "mutation { createThought(input: {text: \"\(text)\", category: FUNNY}) { thought { id } } }"
    }

    private static let feed = "feedChanges { kind cursor node { ... on Thought { text } } }"

    private static func texts(_ answers: [Answer]) -> [String?] {
        answers.map { $0.string("feedChanges", "node", "text") }
    }

    @Test func whatManySeeIsHandedToThemTogether() async throws {
        let live = try await LiveWorld.make()
        var subscribers: [Subscriber] = []
        for _ in 1...5 { subscribers.append(try await live.subscribe(Self.feed, as: .nobody)) }
        let other = try await live.subscribe("feedChanges { kind }", as: .ben)
        // Its own thought is read in its own name.
        let author = try await live.subscribe(Self.feed, as: .ana)
        for number in 1...20 {
            #expect(try await live.world.ask(Self.create("\(number)"), as: .ana).isData)
            // They rest between some of the changes, and not between others.
            if number.isMultiple(of: 3) { for subscriber in subscribers { _ = try await subscriber.take(number) } }
        }
        let all = (1...20).map { String($0) }
        for subscriber in subscribers + [author] { #expect(Self.texts(try await subscriber.take(20)) == all) }
        #expect(try await other.take(20).count == 20)
        #expect(subscribers.allSatisfy { $0.handed > 0 })
        #expect(author.handed == 0)
        await live.shutdown()
    }

    @Test func whoHasNoRoomGetsItLater() async throws {
        let live = try await LiveWorld.make()
        let (slow, quick) = (
            try await live.subscribe(Self.feed, as: .nobody), try await live.subscribe(Self.feed, as: .nobody)
        )
        _ = try await live.world.ask(Self.create("first"), as: .ana)
        for subscriber in [slow, quick] { _ = try await subscriber.take(1) }
        slow.setFull(true)
        for number in 1...10 { _ = try await live.world.ask(Self.create("\(number)"), as: .ana) }
        #expect(try await quick.take(11).count == 11)
        #expect(slow.count == 1)
        slow.setFull(false)
        #expect(Self.texts(try await slow.take(11)) == ["first"] + (1...10).map { String($0) })
        await live.shutdown()
    }

    /// An object is edited and deleted, and its id is given to another, whose row a transaction holds back. Lists of the
    /// deleted object's author or subject do not show the other object.
    @Test func anObjectWhoseIDIsGivenToAnotherIsNotHanded() async throws {
        let world = try await HiddenWorld.make()
        let (thought, comment) = (worldUUID(0x203), worldUUID(0x401))
        let comments = try await world.comments(as: .nobody)
        let anas = try await world.live.subscribe(
            "feedChanges(filter: {authorId: \"\(worldID(.user, 0xA))\"}) { kind nodeId node { id } }", as: .nobody)
        func wait() async throws {
            for list in [comments, anas] { try await eventually("all has come") { list.isCaughtUp } }
        }
        try await wait()
        let (first, edit, second) = (
            try await world.transaction(), try await world.transaction(), try await world.transaction()
        )
        let (delete, other) = (try await world.transaction(), try await world.transaction())
        try await edit.commit(
            """
            update thoughts set text = 'Edited' where id = '\(thought)';
            update comments set text = 'Edited' where id = '\(comment)'
            """)
        try await delete.commit(
            "delete from thoughts where id = '\(thought)'; delete from comments where id = '\(comment)'")
        try await other.commit(
            """
            insert into thoughts (id, author_id, category, text, status, published_at)
            values ('\(thought)', '\(worldUUID(0xC))', 'FUNNY', 'Another', 'PUBLISHED', now());
            insert into comments (id, author_id, thought_id, text)
            values ('\(comment)', '\(worldUUID(0xB))', '\(worldUUID(0x202))', 'Another')
            """)
        try await first.commit("select 1")
        try await world.waitForTail([second])
        try await wait()
        #expect(world.live.world.environment.changes.cursor?.position.transaction == edit.number)
        for list in [comments, anas] { #expect(list.all.isEmpty) }
        try await second.commit("select 1")
        try await world.live.settle()
        try await wait()
        #expect(HiddenWorld.told(comments.all, "commentChanges") == ["REMOVED \(worldID(.comment, 0x401))"])
        // The deletion of the comment changes the other thought's counters.
        #expect(
            HiddenWorld.told(anas.all) == [
                "REMOVED \(worldID(.thought, 0x203))", "CHANGED \(worldID(.thought, 0x201))",
            ])
        await world.live.shutdown()
    }

    /// One that is handed what all get, and one that reads for itself: both in the log's order, over the connection.
    @Test func theOrderOfAConnectionHolds() async throws {
        let live = try await LiveWorld.make()
        var context = live.world.context(as: .ben)
        context.clientConnectionID = 7
        let feed = try await live.subscribe(Self.feed, context)
        let marks = try await live.subscribe(
            "feedChanges { kind cursor node { ... on Thought { viewerHasLiked } } }", context)
        for number in 1...12 { _ = try await live.world.ask(Self.create("\(number)"), as: .ana) }
        let (shared, own) = (try await feed.take(12), try await marks.take(12))
        #expect(Self.texts(shared) == (1...12).map { String($0) })
        for (one, two) in zip(shared, own) {
            let cursors = [one, two].map { $0.string("feedChanges", "cursor").flatMap(ChangeCursor.init) }
            // The one that comes last gives the change's own.
            #expect(cursors[0] != cursors[1])
        }
        await live.shutdown()
    }

    @Test func whoLeavesIsForgotten() async throws {
        let live = try await LiveWorld.make()
        let hub = live.world.environment.changes
        let subscribers = [
            try await live.subscribe(Self.feed, as: .nobody), try await live.subscribe(Self.feed, as: .ben),
        ]
        _ = try await live.world.ask(Self.create("1"), as: .ana)
        for subscriber in subscribers { _ = try await subscriber.take(1) }
        #expect(hub.statistics.subscriptions == 2)
        for subscriber in subscribers { subscriber.close() }
        try await eventually("nobody subscribes") { hub.statistics.subscriptions == 0 }
        _ = try await live.world.ask(Self.create("2"), as: .ana)
        try await live.settle()
        #expect(subscribers.allSatisfy { $0.count == 1 })
        await live.shutdown()
    }

    /// A block comes between: it is for a task to say what goes, and what comes after waits for it.
    @Test func whatIsForOneAloneIsReadInATask() async throws {
        let live = try await LiveWorld.make()
        let (ben, others) = (
            try await live.subscribe(Self.feed, as: .ben), try await live.subscribe(Self.feed, as: .nobody)
        )
        for number in 1...3 { _ = try await live.world.ask(Self.create("\(number)"), as: .ana) }
        #expect(Self.texts(try await ben.take(3)) == ["1", "2", "3"])
        let block = "mutation { blockUser(input: {userId: \"\(worldID(.user, 0xA))\"}) { user { id } } }"
        #expect(try await live.world.ask(block, as: .ben).isData)
        _ = try await live.world.ask(Self.create("4"), as: .ana)
        #expect(Self.texts(try await others.take(4)) == ["1", "2", "3", "4"])
        let seen = try await ben.until { $0.string("feedChanges", "kind") == "REMOVED" }
        #expect(seen.count > 3)
        try await live.settle()
        #expect(!Self.texts(ben.all).contains("4"))
        await live.shutdown()
    }

    @Test func aStreamThatWasStoppedIsNotParked() async throws {
        let live = try await LiveWorld.make()
        let stream = try await live.stream("feedChanges { kind }", live.world.context(as: .nobody))
        stream.stop()
        var iterator = stream.makeAsyncIterator()
        #expect(!iterator.park(NoSink()))
        #expect(try await iterator.next() == nil)
        #expect(live.world.environment.changes.statistics.subscriptions == 0)
        await live.shutdown()
    }
}

private final class NoSink: ResponseSink {
    private final class Inline: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    let executor: any TaskExecutor = Inline()

    func write(_ response: SharedResponse) -> Bool { true }
    func wake() {}
}
