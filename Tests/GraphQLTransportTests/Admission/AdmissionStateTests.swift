import NIOCore
import Testing

@testable import GraphQLTransport

/// Transcripts: each line is an event and what admission decides. Requests are numbers, times are milliseconds.
@Suite struct AdmissionStateTests {
    private typealias State = AdmissionState<Int>

    private static func state(running: Int = 100, lists: Int = 1, waiting: Int = 100) -> State {
        var limits = AdmissionLimits()
        limits.running = running
        limits.lists = .init(running: lists, waiting: waiting, target: .milliseconds(20))
        limits.heavy = .init(running: 2, waiting: 100, target: .milliseconds(20))
        limits.lookups = .init(running: 2, waiting: 100, target: .milliseconds(20))
        limits.mutations = .init(running: 2, waiting: 100, target: .milliseconds(20))
        limits.longestWait = .milliseconds(500)
        return State(limits)
    }

    @Test func operationsRunUpToTheLimitOfTheirKind() {
        var state = Self.state(lists: 2)
        #expect(state.arrived(1, in: .memberList, at: .at(0)) == .admitted)
        #expect(state.arrived(2, in: .anonymousList, at: .at(0)) == .admitted)
        #expect(state.arrived(3, in: .memberList, at: .at(0)) == .waits)
        // Another kind has places of its own.
        #expect(state.arrived(4, in: .anonymousLookup, at: .at(0)) == .admitted)
        #expect(state.next(at: .at(1)) == nil)
        state.ended(.list)
        #expect(state.next(at: .at(1)) == .admit(3))
        #expect(state.next(at: .at(1)) == nil)
        #expect(state.running(.list) == 2 && state.waiting(.list) == 0)
    }

    @Test func nobodyOvertakesTheirOwnClass() {
        var state = Self.state()
        #expect(state.arrived(1, in: .memberList, at: .at(0)) == .admitted)
        #expect(state.arrived(2, in: .memberList, at: .at(1)) == .waits)
        state.ended(.list)
        #expect(state.arrived(3, in: .memberList, at: .at(2)) == .waits)
        #expect(state.next(at: .at(2)) == .admit(2))
        state.ended(.list)
        #expect(state.next(at: .at(3)) == .admit(3))
    }

    @Test func theClassesAreServedInTheirOrder() {
        var state = Self.state(running: 1)
        #expect(state.arrived(0, in: .anonymousHeavy, at: .at(0)) == .admitted)
        for requestClass in RequestClass.allCases.reversed() {
            #expect(state.arrived(requestClass.rawValue, in: requestClass, at: .at(1)) == .waits)
        }
        for requestClass in RequestClass.allCases {
            let before = RequestClass(rawValue: requestClass.rawValue - 1)
            state.ended(before?.kind ?? .heavy)
            #expect(state.next(at: .at(2)) == .admit(requestClass.rawValue))
            #expect(state.next(at: .at(2)) == nil)
        }
    }

    /// A kind that is full holds up no other.
    @Test func aStuckKindLeavesPlacesToOthers() {
        var state = Self.state()
        #expect(state.arrived(1, in: .memberList, at: .at(0)) == .admitted)
        #expect(state.arrived(2, in: .memberList, at: .at(0)) == .waits)
        #expect(state.arrived(3, in: .anonymousHeavy, at: .at(1)) == .admitted)
        #expect(state.arrived(4, in: .anonymousLookup, at: .at(400)) == .admitted)
    }

    @Test func aFullQueueRefuses() {
        var state = Self.state(waiting: 2)
        #expect(state.arrived(1, in: .memberList, at: .at(0)) == .admitted)
        #expect(state.arrived(2, in: .memberList, at: .at(0)) == .waits)
        #expect(state.arrived(3, in: .memberList, at: .at(0)) == .waits)
        #expect(state.wouldRefuse(.memberList, at: .at(0)) == true)
        #expect(state.arrived(4, in: .memberList, at: .at(0)) == .refused)
        // The queue of others is another.
        #expect(state.wouldRefuse(.anonymousList, at: .at(0)) == false)
        #expect(state.arrived(5, in: .anonymousList, at: .at(0)) == .waits)
        #expect(state.wouldRefuse(.memberHeavy, at: .at(0)) == false)
    }

    @Test func whoeverHasWaitedTooLongIsShed() {
        var state = Self.state()
        #expect(state.arrived(1, in: .memberList, at: .at(0)) == .admitted)
        #expect(state.arrived(2, in: .memberList, at: .at(10)) == .waits)
        #expect(state.arrived(3, in: .anonymousList, at: .at(20)) == .waits)
        #expect(state.nextDeadline == .at(510))
        #expect(state.next(at: .at(510)) == nil)
        #expect(state.next(at: .at(511)) == .shed(2))
        #expect(state.nextDeadline == .at(520))
        #expect(state.next(at: .at(521)) == .shed(3))
        #expect(state.nextDeadline == nil)
        #expect(state.running(.list) == 1)
    }

    @Test func whoeverGivesUpLeavesTheQueue() {
        var state = Self.state()
        #expect(state.arrived(1, in: .memberList, at: .at(0)) == .admitted)
        #expect(state.arrived(2, in: .memberList, at: .at(0)) == .waits)
        #expect(state.arrived(3, in: .memberList, at: .at(0)) == .waits)
        #expect(state.remove(from: .memberList, where: { $0 == 2 }) == true)
        #expect(state.remove(from: .memberList, where: { $0 == 2 }) == false)
        state.ended(.list)
        #expect(state.next(at: .at(1)) == .admit(3))
        #expect(state.nextDeadline == nil)
    }

    // MARK: Waits

    /// One place, an operation of 10 ms, and twice as many requests as it serves.
    private static func overload(
        _ state: inout State, until end: Int64
    ) -> (admitted: Int, refused: Int, longest: Int64) {
        var outcome = (admitted: 0, refused: 0, longest: Int64(0))
        for now in stride(from: Int64(0), to: end, by: 5) {
            if now > 0, now % 10 == 0 { state.ended(.list) }
            if case .admit(let began)? = state.next(at: .at(now)) {
                outcome.admitted += 1
                outcome.longest = max(outcome.longest, now - Int64(began))
            }
            switch state.arrived(Int(now), in: .anonymousList, at: .at(now)) {
            case .admitted: outcome.admitted += 1
            case .refused: outcome.refused += 1
            case .waits: break
            }
        }
        return outcome
    }

    @Test func aQueueThatStandsIsCutToItsTarget() {
        var state = Self.state(waiting: 1000)
        let outcome = Self.overload(&state, until: 3000)
        // What can be served is served, and the rest is refused at once.
        #expect(outcome.admitted >= 295)
        #expect(outcome.refused > 250)
        #expect(state.isOverloaded(.list))
        // Before the overload is noticed the queue grows for 140 ms, by one request in 10 ms.
        #expect(outcome.longest <= 200)
        #expect(state.waiting(.list) <= 3)
    }

    /// A burst is no overload: whoever finds room waits.
    @Test func aBurstIsServedWhole() {
        var state = Self.state()
        #expect(state.arrived(0, in: .memberList, at: .at(0)) == .admitted)
        for request in 1...9 { #expect(state.arrived(request, in: .memberList, at: .at(0)) == .waits) }
        for request in 1...9 {
            state.ended(.list)
            #expect(state.next(at: .at(Int64(request) * 10)) == .admit(request))
        }
        #expect(!state.isOverloaded(.list))
    }

    @Test func theOverloadEndsWithTheQueue() {
        var state = Self.state(waiting: 1000)
        _ = Self.overload(&state, until: 1000)
        #expect(state.isOverloaded(.list))
        var now: Int64 = 1000
        while state.waiting(.list) > 0 {
            state.ended(.list)
            _ = state.next(at: .at(now))
            now += 10
        }
        #expect(!state.isOverloaded(.list))
    }

    /// The statements that run are locked: newcomers of the kind are told so at once.
    @Test func aKindThatDoesNotMoveTakesNobodyIn() {
        var state = Self.state()
        #expect(state.arrived(1, in: .memberList, at: .at(0)) == .admitted)
        #expect(state.arrived(2, in: .memberList, at: .at(0)) == .waits)
        #expect(state.arrived(3, in: .memberList, at: .at(119)) == .waits)
        #expect(state.arrived(4, in: .memberList, at: .at(121)) == .refused)
        #expect(state.arrived(5, in: .memberHeavy, at: .at(121)) == .admitted)
    }
}

extension NIODeadline {
    /// Milliseconds.
    fileprivate static func at(_ milliseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(UInt64(milliseconds + 1_000_000) * 1_000_000)
    }
}
