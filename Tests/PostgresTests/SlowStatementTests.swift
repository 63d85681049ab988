import Testing

@testable import Postgres

/// What a pool that times its statements sends behind which: nothing behind one that runs for long.
@Suite struct SlowStatementTests {
    private typealias State = PoolState<Int>

    private static func lease(_ connection: Int) -> Lease { Lease(connection: connection, session: 1) }

    /// A pool that times its statements: a kind is slow beyond 20 ms.
    private static func timed(_ connections: Int, maxInFlight: Int = 16) -> State {
        var state = State(
            State.Limits(
                connections: connections, maxInFlight: maxInFlight, maxQueue: 100, patience: .seconds(1),
                slowAfter: .milliseconds(20)),
            now: .at(0))
        for index in 0..<connections {
            #expect(state.nextToConnect(now: .at(0)) == .connect(lease(index), isRetry: false))
            #expect(state.connectionOpened(lease(index)) == true)
        }
        return state
    }

    private enum Kind {
        static let locked = 7
        static let other = 8
    }

    @Test func theLastConnectionIsForTimesOfNeed() {
        var state = Self.timed(3, maxInFlight: 2)
        #expect(state.arrives(1, of: Kind.other) == .send(Self.lease(0)))
        #expect(state.arrives(2, of: Kind.other) == .send(Self.lease(1)))
        #expect(state.arrives(3, of: Kind.other) == .send(Self.lease(0)))
        #expect(state.arrives(4, of: Kind.other) == .send(Self.lease(1)))
        #expect(state.arrives(5, of: Kind.other) == .send(Self.lease(2)))
        #expect(state.arrives(6, of: Kind.other) == .send(Self.lease(2)))
        #expect(state.arrives(7, of: Kind.other) == .waits)
    }

    /// A locked table: its statements hold up two connections, and no other statement.
    @Test func nothingIsSentBehindAStatementThatRunsForLong() {
        var state = Self.timed(3)
        #expect(state.arrives(1, of: Kind.locked, now: 0) == .send(Self.lease(0)))
        #expect(state.arrives(2, of: Kind.locked, now: 0) == .send(Self.lease(1)))
        // Nobody knows yet.
        #expect(state.arrives(3, of: Kind.other, now: 20) == .send(Self.lease(0)))
        #expect(state.arrives(4, of: Kind.other, now: 21) == .send(Self.lease(2)))
        #expect(state.arrives(5, of: Kind.locked, now: 22) == .waits)
        #expect(state.arrives(6, of: Kind.other, now: 22) == .send(Self.lease(2)))
        state.answered(2, on: Self.lease(2), now: .at(30))
        #expect(state.nextToSend(now: .at(30)) == nil)
        // The lock timed out. The kind remains slow, and has what is not the last connection.
        state.answered(1, errors: 1, on: Self.lease(1), now: .at(500))
        #expect(state.nextToSend(now: .at(500))?.lease == Self.lease(1))
        #expect(state.arrives(7, of: Kind.other, now: 501) == .send(Self.lease(2)))
        // One that ends in time ends that.
        state.answered(2, errors: 1, on: Self.lease(0), now: .at(505))
        state.answered(1, on: Self.lease(1), now: .at(510))
        #expect(state.arrives(8, of: Kind.locked, now: 510) == .send(Self.lease(0)))
        #expect(state.arrives(9, of: Kind.locked, now: 510) == .send(Self.lease(1)))
        #expect(state.arrives(10, of: Kind.other, now: 510) == .send(Self.lease(0)))
    }

    @Test func aSlowKindHasTwoSegmentsOnAConnection() {
        var state = Self.timed(2)
        #expect(state.arrives(1, of: Kind.locked, now: 0) == .send(Self.lease(0)))
        #expect(state.arrives(2, of: Kind.other, now: 30) == .send(Self.lease(1)))
        state.answered(1, on: Self.lease(0), now: .at(40))
        #expect(state.arrives(3, of: Kind.locked, now: 50) == .send(Self.lease(0)))
        #expect(state.arrives(4, of: Kind.locked, now: 50) == .send(Self.lease(0)))
        #expect(state.arrives(5, of: Kind.locked, now: 50) == .waits)
        #expect(state.counts.waiting == 1)
    }

    /// A request that waits for any connection lets others by when its kind becomes slow.
    @Test func whoeverWaitsIsMovedAside() {
        var state = Self.timed(2, maxInFlight: 1)
        #expect(state.arrives(1, of: Kind.locked, now: 0) == .send(Self.lease(0)))
        #expect(state.arrives(2, of: Kind.other, now: 15) == .send(Self.lease(1)))
        #expect(state.arrives(3, of: Kind.locked, now: 16) == .waits)
        #expect(state.arrives(4, of: Kind.other, now: 16) == .waits)
        state.answered(1, on: Self.lease(1), now: .at(30))
        #expect(state.nextToSend(now: .at(30))?.request == 4)
        #expect(state.nextToSend(now: .at(30)) == nil)
        #expect(state.counts.waiting == 1)
        state.answered(1, on: Self.lease(0), now: .at(40))
        #expect(state.nextToSend(now: .at(40))?.request == 3)
        #expect(state.counts.waiting == 0)
    }

    /// On a slow machine every kind is slow. None but the locked one waits for the lock.
    @Test func aSlowKindDoesNotWaitForTheLockOfAnother() {
        var state = Self.timed(2)
        #expect(state.arrives(1, of: Kind.other, now: 0) == .send(Self.lease(0)))
        state.answered(1, on: Self.lease(0), now: .at(30))
        #expect(state.arrives(2, of: Kind.locked, now: 30) == .send(Self.lease(0)))
        #expect(state.arrives(3, of: Kind.other, now: 60) == .send(Self.lease(1)))
        #expect(state.arrives(4, of: Kind.locked, now: 60) == .waits)
        #expect(state.arrives(5, of: Kind.other, now: 60) == .waits)
        state.answered(1, on: Self.lease(1), now: .at(90))
        // The line of the slow ones begins with a locked one.
        #expect(state.nextToSend(now: .at(90))?.request == 5)
        #expect(state.nextToSend(now: .at(90)) == nil)
        state.answered(1, on: Self.lease(1), now: .at(120))
        #expect(state.arrives(6, of: Kind.other, now: 120) == .send(Self.lease(1)))
        #expect(state.arrives(7, of: Kind.locked, now: 120) == .waits)
    }

    @Test func aSlowKindHasItsTurnUnderLoad() {
        var state = Self.timed(3)
        #expect(state.arrives(1, of: Kind.locked, now: 0) == .send(Self.lease(0)))
        state.answered(1, on: Self.lease(0), now: .at(30))
        for request in 2..<12 { #expect(state.arrives(request, of: Kind.other, now: 30) != .waits) }
        #expect(state.arrives(12, of: Kind.locked, now: 31) == .send(Self.lease(0)))
        #expect(state.arrives(13, of: Kind.other, now: 31) == .send(Self.lease(1)))
    }

    @Test func oneSlowRequestIsServedBeforeTheLine() {
        var state = Self.timed(2, maxInFlight: 1)
        #expect(state.arrives(1, of: Kind.locked, now: 0) == .send(Self.lease(0)))
        state.answered(1, on: Self.lease(0), now: .at(30))
        #expect(state.arrives(2, of: Kind.other, now: 30) == .send(Self.lease(0)))
        #expect(state.arrives(3, of: Kind.other, now: 30) == .send(Self.lease(1)))
        for request in 4..<8 { #expect(state.arrives(request, of: Kind.other, now: 30) == .waits) }
        #expect(state.arrives(8, of: Kind.locked, now: 30) == .waits)
        #expect(state.arrives(9, of: Kind.locked, now: 30) == .waits)
        state.answered(1, on: Self.lease(0), now: .at(31))
        #expect(state.nextToSend(now: .at(31))?.request == 8)
        state.answered(1, on: Self.lease(1), now: .at(31))
        #expect(state.nextToSend(now: .at(31))?.request == 4)
    }

    /// Two kinds wait for one lock. The second is not sent to the last connection again and again.
    @Test func aStuckKindLeavesTheLastConnectionToOthers() {
        var state = Self.timed(2)
        let second = 9
        #expect(state.arrives(1, of: Kind.locked, now: 0) == .send(Self.lease(0)))
        // Nobody knows yet.
        #expect(state.arrives(2, of: second, now: 30) == .send(Self.lease(1)))
        state.answered(1, errors: 1, on: Self.lease(1), now: .at(530))
        #expect(state.arrives(3, of: second, now: 530) == .waits)
        #expect(state.arrives(4, of: Kind.other, now: 530) == .send(Self.lease(1)))
        state.answered(1, errors: 1, on: Self.lease(0), now: .at(540))
        #expect(state.nextToSend(now: .at(540))?.request == 3)
    }

    /// Both lines end with the pool.
    @Test func slowRequestsHaveDeadlinesToo() {
        var state = Self.timed(2)
        #expect(state.arrives(1, of: Kind.locked, now: 0) == .send(Self.lease(0)))
        #expect(state.arrives(2, of: Kind.other, now: 30) == .send(Self.lease(1)))
        #expect(state.arrives(3, of: Kind.locked, deadline: 100, now: 30) == .waits)
        #expect(state.arrives(4, of: Kind.locked, now: 30) == .waits)
        #expect(state.deadlinesPassed(now: .at(101)).late == [3])
        #expect(state.isBusy)
        #expect(state.terminate() == [4])
    }

    /// The last connection alone is up: every kind may have it.
    @Test func oneConnectionServesAll() {
        var state = Self.timed(2)
        #expect(state.arrives(1, of: Kind.locked, now: 0) == .send(Self.lease(0)))
        #expect(state.arrives(2, of: Kind.other, now: 30) == .send(Self.lease(1)))
        state.answered(1, on: Self.lease(1), now: .at(31))
        state.connectionBroke(Self.lease(0), now: .at(31))
        #expect(state.arrives(3, of: Kind.locked, now: 32) == .send(Self.lease(1)))
    }
}
