import TestSupport
import Testing

@testable import Postgres

/// Transcripts: each line is an event and what the pool decides. Requests are numbers, times are milliseconds.
@Suite struct PoolStateTests {
    private typealias State = PoolState<Int>

    private static func lease(_ connection: Int, _ session: Int = 1) -> Lease {
        Lease(connection: connection, session: session)
    }

    /// A pool whose connections are up.
    private static func up(_ connections: Int, maxInFlight: Int = 64, maxQueue: Int = 100) -> State {
        var state = State(
            State.Limits(
                connections: connections, maxInFlight: maxInFlight, maxQueue: maxQueue, patience: .seconds(1)),
            now: .at(0))
        for index in 0..<connections {
            #expect(state.nextToConnect(now: .at(0)) == .connect(lease(index), isRetry: false))
            #expect(state.connectionOpened(lease(index)) == true)
        }
        #expect(state.nextToConnect(now: .at(0)) == .wait(until: nil))
        return state
    }

    // MARK: Choice

    @Test func takesTheLeastLoadedConnection() {
        var state = Self.up(3)
        #expect(state.arrives(1) == .send(Self.lease(0)))
        #expect(state.arrives(2) == .send(Self.lease(1)))
        #expect(state.arrives(3) == .send(Self.lease(2)))
        // The first of several.
        #expect(state.arrives(4) == .send(Self.lease(0)))
        state.answered(1, on: Self.lease(1), now: .at(0))
        #expect(state.arrives(5) == .send(Self.lease(1)))
        state.answered(2, on: Self.lease(0), now: .at(0))
        #expect(state.arrives(6) == .send(Self.lease(0)))
        #expect(state.counts.statements == 6 && state.counts.waiting == 0)
    }

    @Test func passesOverConnectionsThatAreDown() {
        var state = Self.up(2)
        state.connectionBroke(Self.lease(0), now: .at(1))
        #expect(state.arrives(1) == .send(Self.lease(1)))
        #expect(state.arrives(2) == .send(Self.lease(1)))
    }

    // MARK: The line

    @Test func servesTheLineInOrder() {
        var state = Self.up(1, maxInFlight: 2)
        #expect(state.arrives(1) == .send(Self.lease(0)))
        #expect(state.arrives(2) == .send(Self.lease(0)))
        #expect(state.arrives(3) == .waits)
        #expect(state.arrives(4) == .waits)
        #expect(state.nextToSend(now: .at(0)) == nil)
        state.answered(1, on: Self.lease(0), now: .at(0))
        // Nobody overtakes what waits.
        #expect(state.arrives(5) == .waits)
        #expect(state.counts.waiting == 3)
        #expect(state.nextToSend(now: .at(0))?.request == 3)
        #expect(state.nextToSend(now: .at(0)) == nil)
        state.answered(2, on: Self.lease(0), now: .at(0))
        #expect(state.nextToSend(now: .at(0))?.request == 4)
        #expect(state.nextToSend(now: .at(0))?.request == 5)
        #expect(state.nextToSend(now: .at(0)) == nil)
        #expect(state.counts.waiting == 0)
    }

    @Test func refusesWhatTheLineDoesNotHold() {
        var state = Self.up(1, maxInFlight: 1, maxQueue: 2)
        #expect(state.arrives(1) == .send(Self.lease(0)))
        #expect(state.arrives(2) == .waits)
        #expect(state.arrives(3) == .waits)
        #expect(state.arrives(4) == .overloaded)
        state.answered(1, on: Self.lease(0), now: .at(0))
        #expect(state.nextToSend(now: .at(0))?.request == 2)
        #expect(state.arrives(5) == .waits)
    }

    @Test func cancelledRequestsLeaveTheLineUnsent() {
        var state = Self.up(1, maxInFlight: 1)
        #expect(state.arrives(1) == .send(Self.lease(0)))
        for request in 2...4 { #expect(state.arrives(request) == .waits) }
        // Also while no connection has room.
        #expect(state.nextToSend(now: .at(0)) { $0 == 2 } == nil)
        #expect(state.counts.waiting == 2)
        state.answered(1, on: Self.lease(0), now: .at(0))
        #expect(state.nextToSend(now: .at(0)) { $0 == 3 }?.request == 4)
    }

    @Test func waitsNoLongerThanTheDeadline() {
        var state = Self.up(1, maxInFlight: 1)
        #expect(state.arrives(1) == .send(Self.lease(0)))
        #expect(state.arrives(2, deadline: 100) == .waits)
        #expect(state.arrives(3, deadline: 50) == .waits)
        #expect(state.arrives(4, deadline: 200) == .waits)
        #expect(state.deadlinesPassed(now: .at(50)).late == [])
        #expect(state.deadlinesPassed(now: .at(101)).late == [2, 3])
        #expect(state.counts.timeouts == 2 && state.counts.waiting == 1)
        state.answered(1, on: Self.lease(0), now: .at(0))
        #expect(state.nextToSend(now: .at(0))?.request == 4)
        // What was overdue in flight counts as well.
        #expect(state.deadlinesPassed(now: .at(300), inFlight: 3).late == [])
        #expect(state.counts.timeouts == 5)
    }

    // MARK: Connections alone

    @Test func lendsAConnectionThatHasNothingInFlight() {
        var state = Self.up(2)
        #expect(state.arrives(1) == .send(Self.lease(0)))
        #expect(state.arrives(2, isAlone: true) == .send(Self.lease(1)))
        #expect(state.arrives(3) == .send(Self.lease(0)))
        #expect(state.arrives(4, isAlone: true) == .waits)
        // What comes later waits behind it, or it would wait for ever.
        #expect(state.arrives(5) == .waits)
        state.answered(1, on: Self.lease(0), now: .at(0))
        #expect(state.nextToSend(now: .at(0)) == nil)
        state.answered(1, on: Self.lease(0), now: .at(0))
        let next = state.nextToSend(now: .at(0))
        #expect(next?.request == 4 && next?.lease == Self.lease(0))
        #expect(state.nextToSend(now: .at(0)) == nil)
        state.connectionReturned(Self.lease(1))
        #expect(state.nextToSend(now: .at(0))?.lease == Self.lease(1))
    }

    @Test func loanEndsWithItsSession() {
        var state = Self.up(1, maxInFlight: 1)
        #expect(state.arrives(1, isAlone: true) == .send(Self.lease(0)))
        state.connectionBroke(Self.lease(0), now: .at(1))
        #expect(state.nextToConnect(now: .at(1)) == .connect(Self.lease(0, 2), isRetry: false))
        #expect(state.connectionOpened(Self.lease(0, 2)) == true)
        #expect(state.arrives(2) == .send(Self.lease(0, 2)))
        // The holder of before gives back what it has no more.
        state.connectionReturned(Self.lease(0))
        #expect(state.arrives(3) == .waits)
        state.answered(1, on: Self.lease(0, 2), now: .at(0))
        #expect(state.nextToSend(now: .at(0))?.request == 3)
    }

    // MARK: Up and down

    @Test func lostSessionTakesItsLeasesAlong() {
        var state = Self.up(2)
        for request in 1...4 { _ = state.arrives(request) }
        state.connectionBroke(Self.lease(0), now: .at(10))
        // Told by the sender and by the reader.
        state.connectionBroke(Self.lease(0), now: .at(11))
        #expect(state.counts.connectionsUp == 1 && state.counts.connectionsLost == 1)
        #expect(state.nextToConnect(now: .at(10)) == .connect(Self.lease(0, 2), isRetry: false))
        #expect(state.connectionOpened(Self.lease(0, 2)) == true)
        // An answer that comes late does not count for the new session.
        state.answered(1, on: Self.lease(0), now: .at(0))
        state.connectionBroke(Self.lease(0), now: .at(12))
        #expect(state.counts.connectionsUp == 2)
        for request in 5...6 { #expect(state.arrives(request) == .send(Self.lease(0, 2))) }
        #expect(state.isBusy)
        state.answered(2, on: Self.lease(0, 2), now: .at(0))
        state.answered(2, errors: 1, on: Self.lease(1), now: .at(0))
        #expect(!state.isBusy && state.counts.errors == 1)
    }

    @Test func unsentRequestGoesElsewhereOrBeforeAllOthers() {
        var state = Self.up(2, maxInFlight: 1)
        #expect(state.arrives(1) == .send(Self.lease(0)))
        #expect(state.fails(1, on: Self.lease(0), now: 5) == .send(Self.lease(1)))
        #expect(state.arrives(2) == .waits)
        #expect(state.fails(1, on: Self.lease(1), now: 6) == .waits)
        #expect(state.counts.connectionsUp == 0 && state.counts.connectionsLost == 2)
        #expect(state.nextToConnect(now: .at(7)) == .connect(Self.lease(0, 2), isRetry: false))
        #expect(state.connectionOpened(Self.lease(0, 2)) == true)
        #expect(state.nextToSend(now: .at(0))?.request == 1)
        state.answered(1, on: Self.lease(0, 2), now: .at(0))
        #expect(state.nextToSend(now: .at(0))?.request == 2)
    }

    @Test func waitsForTheFirstConnectionOnlySoLong() {
        var state = State(
            State.Limits(connections: 1, maxInFlight: 1, maxQueue: 10, patience: .seconds(1)), now: .at(0))
        #expect(state.arrives(1, deadline: 3000, now: 500) == .waits)
        #expect(state.deadlinesPassed(now: .at(1000)).unserved == [])
        #expect(state.deadlinesPassed(now: .at(1001)).unserved == [1])
        #expect(state.arrives(2, deadline: 4000, now: 1001) == .refused)
        #expect(state.counts.timeouts == 0 && state.counts.waiting == 0)
        #expect(state.nextToConnect(now: .at(1002)) == .connect(Self.lease(0), isRetry: false))
        #expect(state.connectionOpened(Self.lease(0)) == true)
        #expect(state.arrives(3, now: 1003) == .send(Self.lease(0)))
        // From the loss on, patience begins anew.
        state.connectionBroke(Self.lease(0), now: .at(2000))
        #expect(state.arrives(4, deadline: 9000, now: 2900) == .waits)
        #expect(state.fails(3, on: Self.lease(0), now: 3001) == .refused)
        #expect(state.deadlinesPassed(now: .at(3001)).unserved == [4])
    }

    /// A server that is not there, refuses, or only reads where a primary is asked for: no session comes to be.
    @Test func failuresToConnectAreSpacedOut() {
        var longest = BackOffTests.Constant(value: .max)
        var state = State(
            State.Limits(connections: 2, maxInFlight: 1, maxQueue: 10, patience: .seconds(1)), now: .at(0))
        #expect(state.nextToConnect(now: .at(0)) == .connect(Self.lease(0), isRetry: false))
        state.connectionFailed(Self.lease(0), now: .at(10), using: &longest)
        #expect(state.nextToConnect(now: .at(10)) == .wait(until: .at(35)))
        #expect(state.nextToConnect(now: .at(34)) == .wait(until: .at(35)))
        // Only the first failure of several is worth a warning.
        #expect(state.nextToConnect(now: .at(35)) == .connect(Self.lease(0, 2), isRetry: true))
        state.connectionFailed(Self.lease(0, 2), now: .at(40), using: &longest)
        #expect(state.nextToConnect(now: .at(40)) == .wait(until: .at(90)))
        #expect(state.nextToConnect(now: .at(90)) == .connect(Self.lease(0, 3), isRetry: true))
        #expect(state.connectionOpened(Self.lease(0, 3)) == true)
        #expect(state.nextToConnect(now: .at(91)) == .connect(Self.lease(1), isRetry: false))
        #expect(state.counts.connectionsUp == 1 && state.counts.connectionsLost == 0)
    }

    @Test func sessionThatBreaksBeforeItOpensIsNotUsed() {
        var state = Self.up(1)
        state.connectionBroke(Self.lease(0), now: .at(1))
        #expect(state.nextToConnect(now: .at(1)) == .connect(Self.lease(0, 2), isRetry: false))
        state.connectionBroke(Self.lease(0, 2), now: .at(2))
        #expect(state.connectionOpened(Self.lease(0, 2)) == false)
        #expect(state.counts.connectionsUp == 0 && state.counts.connectionsLost == 2)
        #expect(state.nextToConnect(now: .at(2)) == .connect(Self.lease(0, 3), isRetry: false))
    }

    // MARK: The end

    @Test func drainServesWhatWaitsAndRefusesTheRest() {
        var state = Self.up(1, maxInFlight: 1)
        #expect(state.arrives(1) == .send(Self.lease(0)))
        #expect(state.arrives(2) == .waits)
        state.drain()
        #expect(state.arrives(3) == .refused)
        #expect(state.isBusy)
        state.answered(1, on: Self.lease(0), now: .at(0))
        #expect(state.nextToSend(now: .at(0))?.request == 2)
        #expect(state.isBusy)
        state.answered(1, on: Self.lease(0), now: .at(0))
        #expect(!state.isBusy)
    }

    @Test func terminateReturnsWhatWaits() {
        var state = Self.up(2, maxInFlight: 1)
        for request in 1...4 { _ = state.arrives(request) }
        state.connectionBroke(Self.lease(1), now: .at(1))
        #expect(state.nextToConnect(now: .at(1)) == .connect(Self.lease(1, 2), isRetry: false))
        #expect(state.terminate() == [3, 4])
        #expect(state.nextToConnect(now: .at(2)) == .stop)
        #expect(state.connectionOpened(Self.lease(1, 2)) == false)
        #expect(state.fails(2, on: Self.lease(1), now: 2) == .refused)
        #expect(state.arrives(5) == .refused)
        #expect(state.nextToSend(now: .at(0)) == nil)
        #expect(state.counts.connectionsUp == 0 && state.counts.waiting == 0 && !state.isBusy)
    }

    /// Whatever the order of events, each request is sent, refused or returned, and none is sent twice.
    @Test func nothingIsLostOrDoubled() {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var state = State(
                State.Limits(connections: 3, maxInFlight: 2, maxQueue: 5, patience: .milliseconds(40)), now: .at(0))
            var inFlight: [Int: [Int]] = [:]
            var sessions = [Int](repeating: 0, count: 3)
            var isUp = [Bool](repeating: false, count: 3)
            var sent: Set<Int> = []
            var ended = 0
            func send(_ state: inout State, _ request: Int, _ lease: Lease) {
                #expect(isUp[lease.connection] && sessions[lease.connection] == lease.session)
                #expect(sent.insert(request).inserted)
                inFlight[lease.connection, default: []].append(request)
                #expect(inFlight[lease.connection, default: []].count <= 2)
            }
            let requests = 300
            for step in 0..<requests {
                let now = Instant.at(step)
                switch state.arrives(step, deadline: step + 20, now: step) {
                case .send(let lease): send(&state, step, lease)
                case .refused, .overloaded: ended += 1
                case .waits: break
                }
                let index = Int.random(in: 0..<3, using: &random)
                let lease = Lease(connection: index, session: sessions[index])
                switch Int.random(in: 0..<8, using: &random) {
                case 0 where isUp[index]:
                    state.connectionBroke(lease, now: now)
                    ended += inFlight[index, default: []].count
                    inFlight[index] = []
                    isUp[index] = false
                case 1...2:
                    if case .connect(let lease, _) = state.nextToConnect(now: now) {
                        sessions[lease.connection] = lease.session
                        if Bool.random(using: &random) {
                            isUp[lease.connection] = state.connectionOpened(lease)
                        } else {
                            state.connectionFailed(lease, now: now, using: &random)
                        }
                    }
                case 3...6 where !inFlight[index, default: []].isEmpty:
                    inFlight[index]?.removeFirst()
                    ended += 1
                    state.answered(1, on: lease, now: .at(0))
                default: break
                }
                while let (request, lease) = state.nextToSend(now: .at(0)) { send(&state, request, lease) }
                let overdue = state.deadlinesPassed(now: now)
                ended += overdue.late.count + overdue.unserved.count
                for request in overdue.late + overdue.unserved { #expect(!sent.contains(request)) }
                #expect(state.counts.connectionsUp == isUp.count { $0 })
            }
            ended += inFlight.values.reduce(0) { $0 + $1.count } + state.terminate().count
            #expect(ended == requests)
        }
    }
}

extension PoolState<Int> {
    mutating func arrives(
        _ request: Int, of kind: Int = 0, isAlone: Bool = false, deadline: Int = 1000, now: Int = 0
    ) -> Arrival {
        requestArrived(request, kind: kind, isAlone: isAlone, deadline: .at(deadline), now: .at(now))
    }

    mutating func fails(_ request: Int, on lease: Lease, now: Int) -> Arrival {
        requestWasNotSent(request, deadline: .at(1000), on: lease, now: .at(now))
    }
}

extension Instant {
    static func at(_ milliseconds: Int) -> Instant { Instant(nanoseconds: Int64(milliseconds) * 1_000_000) }
}
