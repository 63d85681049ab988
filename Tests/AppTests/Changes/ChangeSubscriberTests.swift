import GraphQL
import Postgres
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ChangeSubscriberTests {
    private static let start = ChangePosition(transaction: 0, row: 0)

    private static func change(_ row: Int64, of event: UInt64 = 1, counters: Bool = false) -> Change {
        let state = ChangeState(authorID: nil, status: nil, category: nil, startsAt: nil, subjectID: nil)
        return Change(
            position: ChangePosition(transaction: row, row: row), at: Timestamp(microseconds: 0),
            object: TypeID(.event, worldUUID(event)), before: state, after: state, isCountersOnly: counters)
    }

    private static func shared(_ row: Int64) -> SharedChange {
        let change = change(row)
        return SharedChange(change, cursor: ChangeCursor(epoch: 1, position: change.position))
    }

    private static func subscriber(of events: [UInt64] = [1]) -> ChangeSubscriber {
        ChangeSubscriber(scope: .objects(Set(events.map { TypeID(.event, worldUUID($0)) })), viewer: nil)
    }

    private static func isGiven(_ offered: ChangeSubscriber.Offered) -> Bool {
        if case .given = offered { true } else { false }
    }

    private static func row(_ change: MatchedChange?) -> Int64? { change?.shared.cursor.position.row }

    /// Once one has had no room nothing that comes later is taken: the cursor at the end would be past the lost one.
    @Test func nothingFollowsWhatHadNoRoom() async throws {
        let subscriber = Self.subscriber()
        subscriber.start(after: Self.start)
        let limit = Int64(ChangeSubscriber.queueLimit)
        for row in 1...limit { #expect(Self.isGiven(subscriber.offer(Self.shared(row)))) }
        guard case .overtaken = subscriber.offer(Self.shared(limit + 1)) else {
            Issue.record("there was room")
            return
        }
        #expect(Self.row(try await subscriber.next()) == 1)
        #expect(!Self.isGiven(subscriber.offer(Self.shared(limit + 2))))
        for row in 2...limit { #expect(Self.row(try await subscriber.next()) == row) }
        subscriber.ask(live: true)
        #expect(!subscriber.isResting)
        await #expect(throws: ExecutionError.fellBehind) { _ = try await subscriber.next() }
    }

    /// What could not be read for others is no concern of a task that waits already.
    @Test func whoWaitsIsNotForgotten() async throws {
        let subscriber = Self.subscriber()
        subscriber.start(after: Self.start)
        subscriber.ask(live: true)
        let next = Task { try await subscriber.next() }
        try await Task.sleep(for: .milliseconds(50))
        let other = Self.shared(1)
        subscriber.fail(MatchedChange(other, .changed))
        #expect(Self.isGiven(subscriber.offer(Self.shared(2))))
        #expect(Self.row(try await next.value) == 2)
    }

    @Test func nobodyReadsOnceItWasStopped() async throws {
        let subscriber = Self.subscriber()
        subscriber.start(after: Self.start)
        let waiting = Task { try await subscriber.next() }
        try await Task.sleep(for: .milliseconds(50))
        subscriber.stop()
        #expect(try await waiting.value == nil)
        #expect(!Self.isGiven(subscriber.offer(Self.shared(1))))
        #expect(try await subscriber.next() == nil)
    }

    @Test func aStreamThatWasStoppedDoesNotRest() async throws {
        let live = try await LiveWorld.make()
        let stream = try await live.stream("feedChanges { kind }", live.world.context(as: .nobody))
        stream.stop()
        var iterator = stream.makeAsyncIterator()
        #expect(!iterator.rest(NoSink()))
        #expect(try await iterator.next() == nil)
        #expect(live.world.environment.changes.figures.subscriptions == 0)
        await live.shutdown()
    }

    /// Counters that were held back go out together: whoever breaks off between two of them gets the second again.
    @Test func whatGoesOutTogetherComesAgainTogether() async throws {
        let hub = ChangeHub()
        hub.begin(epoch: 1, at: Self.start)
        let subscriber = Self.subscriber(of: [1, 2])
        guard case .live = hub.join(subscriber, after: nil) else {
            Issue.record("not live")
            return
        }
        let now = ContinuousClock.now
        let changes = [
            Self.change(1, of: 1, counters: true), Self.change(2, of: 2, counters: true),
            Self.change(3, of: 1, counters: true), Self.change(4, of: 2, counters: true),
        ]
        hub.publish(changes, frontier: changes[3].position, now: now)
        hub.publish([], frontier: changes[3].position, now: now + .seconds(1))
        var cursors: [ChangeCursor] = []
        for _ in 1...4 { if let change = try await subscriber.next() { cursors.append(change.shared.cursor) } }
        #expect(cursors.suffix(2).map(\.position) == [changes[3].position, changes[3].position])
        #expect(cursors[2].held == changes[2].position)
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
