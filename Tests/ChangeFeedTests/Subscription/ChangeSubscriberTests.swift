import GraphQL
import Postgres
import Testing

@testable import ChangeFeed

@Suite(.timeLimit(.minutes(5))) struct ChangeSubscriberTests {
    private static let start = ChangePosition(transaction: 0, row: 0)

    private static func shared(_ row: Int64) -> SharedChange {
        let change = Change.of(at: row)
        return SharedChange(change, cursor: ChangeCursor(epoch: 1, position: change.position))
    }

    private static func subscriber(of polls: [UInt64] = [1]) -> ChangeSubscriber<ListedObjects> {
        ChangeSubscriber(scope: ListedObjects(polls), viewer: nil)
    }

    private static func offer(_ row: Int64, to subscriber: ChangeSubscriber<ListedObjects>) -> ChangeQueue.Offered {
        guard let matched = subscriber.match(shared(row)) else { return .unconcerned }
        return subscriber.queue.offer(matched, isPlain: false)
    }

    private static func isGiven(_ offered: ChangeQueue.Offered) -> Bool {
        if case .given = offered { true } else { false }
    }

    private static func row(_ change: MatchedChange?) -> Int64? { change?.shared.cursor.position.row }

    /// After a change had no room, no later change is taken: the cursor of a later one would cover the lost one.
    @Test func nothingFollowsWhatHadNoRoom() async throws {
        let subscriber = Self.subscriber()
        subscriber.queue.start(after: Self.start)
        let limit = Int64(ChangeQueue.limit)
        for row in 1...limit { #expect(Self.isGiven(Self.offer(row, to: subscriber))) }
        guard case .overtaken = Self.offer(limit + 1, to: subscriber) else {
            Issue.record("there was room")
            return
        }
        #expect(Self.row(try await subscriber.queue.next()) == 1)
        #expect(!Self.isGiven(Self.offer(limit + 2, to: subscriber)))
        for row in 2...limit { #expect(Self.row(try await subscriber.queue.next()) == row) }
        subscriber.queue.ask(live: true)
        #expect(!subscriber.queue.isIdle)
        await #expect(throws: ExecutionError.fellBehind) { _ = try await subscriber.queue.next() }
    }

    /// A failed shared read does not disturb a task that waits already.
    @Test func whoWaitsIsNotForgotten() async throws {
        let subscriber = Self.subscriber()
        subscriber.queue.start(after: Self.start)
        subscriber.queue.ask(live: true)
        let next = Task.immediate { try await subscriber.queue.next() }
        let other = Self.shared(1)
        subscriber.queue.fail(MatchedChange(other, .changed))
        #expect(Self.isGiven(Self.offer(2, to: subscriber)))
        #expect(Self.row(try await next.value) == 2)
    }

    @Test func nobodyReadsOnceItWasStopped() async throws {
        let subscriber = Self.subscriber()
        subscriber.queue.start(after: Self.start)
        let waiting = Task.immediate { try await subscriber.queue.next() }
        subscriber.queue.stop()
        #expect(try await waiting.value == nil)
        #expect(!Self.isGiven(Self.offer(1, to: subscriber)))
        #expect(try await subscriber.queue.next() == nil)
    }

    /// Held-back counter changes are sent together: a client that breaks off between two of them gets the second again.
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
            Change.of(1, at: 1, counters: true), Change.of(2, at: 2, counters: true),
            Change.of(1, at: 3, counters: true), Change.of(2, at: 4, counters: true),
        ]
        hub.publish(changes, frontier: changes[3].position, now: now)
        hub.publish([], frontier: changes[3].position, now: now + .seconds(1))
        var cursors: [ChangeCursor] = []
        for _ in 1...4 { if let change = try await subscriber.queue.next() { cursors.append(change.shared.cursor) } }
        #expect(cursors.suffix(2).map(\.position) == [changes[3].position, changes[3].position])
        #expect(cursors[2].held == changes[2].position)
    }

    /// A reader that falls behind gets an error, after the changes that had room.
    @Test func aReaderThatFallsBehindIsToldSo() async throws {
        let hub = ChangeHub()
        let start = ChangePosition(transaction: 0, row: 0)
        hub.begin(epoch: 1, at: start)
        let subscriber = Self.subscriber()
        guard case .live = hub.join(subscriber, after: nil) else {
            Issue.record("not live")
            return
        }
        for number in Int64(1)...1_200 {
            let change = Change.of(at: number)
            hub.publish([change], frontier: change.position)
        }
        var seen: [Int64] = []
        await #expect(throws: ExecutionError.fellBehind) {
            while let change = try await subscriber.queue.next() { seen.append(change.cursor.position.transaction) }
        }
        #expect(seen == Array(1...Int64(ChangeQueue.limit)))
        #expect(hub.statistics.subscriptions == 0)
    }

    /// Otherwise the position of a parked subscriber would become one of the new epoch, although changes were lost.
    @Test func whoIsParkedDoesNotMoveIntoTheNewEpoch() async throws {
        let hub = ChangeHub()
        let start = ChangePosition(transaction: 1, row: 1)
        hub.begin(epoch: 1, at: start)
        let parked = Self.subscriber()
        guard case .live = hub.join(parked, after: nil) else {
            Issue.record("not live")
            return
        }
        parked.queue.ask(live: true)
        #expect(parked.queue.isIdle)
        hub.begin(epoch: 2, at: start)
        #expect(!parked.queue.isIdle)
        await #expect(throws: ExecutionError.cursorExpired) { try await parked.queue.next() }
        let late = Self.subscriber()
        guard case .expired = hub.join(late, after: ChangeCursor(epoch: 1, position: start)) else {
            Issue.record("a position of the lost history")
            return
        }
    }
}
