import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import GraphQLTransport

@Suite(.timeLimit(.minutes(10))) struct EventLoopClockTests {
    private final class Member: Ticking, Sendable {
        private let told = Mutex<[NIODeadline]>([])

        var times: [NIODeadline] { told.withLock { $0 } }
        func tick(at now: NIODeadline) { told.withLock { $0.append(now) } }
    }

    private let eventLoop = MultiThreadedEventLoopGroup.singleton.any()

    /// A clock of the test's own.
    private func clock() async throws -> NIOLoopBound<EventLoopClock> {
        try await eventLoop.submit { [eventLoop] in
            NIOLoopBound(EventLoopClock(eventLoop), eventLoop: eventLoop)
        }.get()
    }

    @Test func alarmsGoOffOnceAndInTheirOrder() async throws {
        let (late, early, middle) = (Member(), Member(), Member())
        let clock = try await clock()
        let now = NIODeadline.now()
        try await eventLoop.submit {
            clock.value.wake(late, at: now + .milliseconds(60))
            clock.value.wake(early, at: now + .milliseconds(20))
            clock.value.wake(middle, at: now + .milliseconds(40))
        }.get()
        try await eventually("the last alarm") { !late.times.isEmpty }
        try #require([early, middle, late].allSatisfy { $0.times.count == 1 })
        #expect(early.times[0] >= now + .milliseconds(20))
        #expect(middle.times[0] >= max(now + .milliseconds(40), early.times[0]))
        #expect(late.times[0] >= max(now + .milliseconds(60), middle.times[0]))
    }

    @Test func membersAreToldTheTimeUntilTheyLeave() async throws {
        let (stays, leaves) = (Member(), Member())
        let clock = try await clock()
        try await eventLoop.submit {
            clock.value.add(stays)
            clock.value.add(leaves)
            clock.value.add(stays)
            clock.value.remove(leaves)
        }.get()
        try await eventually("two ticks") { stays.times.count >= 2 }
        #expect(stays.times[1] - stays.times[0] > .milliseconds(500), "Once a second, however often it was added.")
        #expect(leaves.times.isEmpty)
        try await eventLoop.submit { clock.value.remove(stays) }.get()
    }

    @Test func aManualClockMovesOnlyWhereItIsTold() async throws {
        let (member, sleeper) = (Member(), Member())
        let clock = try await clock()
        let now = NIODeadline.now()
        try await eventLoop.submit {
            clock.value.isManual = true
            clock.value.add(member)
            clock.value.wake(sleeper, at: now)
            clock.value.wake(sleeper, at: now + .hours(2))
            clock.value.pass(to: now + .hours(1))
            clock.value.wake(sleeper, at: now)
        }.get()
        #expect(member.times == [now + .hours(1)])
        #expect(sleeper.times == [now + .hours(1)])
        // A clock that is not manual would tick within this time.
        try await eventLoop.scheduleTask(in: .milliseconds(1_100)) { clock.value.remove(member) }.futureResult.get()
        #expect(member.times.count == 1)
        #expect(sleeper.times.count == 1)
    }
}
