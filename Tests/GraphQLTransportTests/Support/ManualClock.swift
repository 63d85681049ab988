import NIOCore
import NIOPosix
import Synchronization

@testable import GraphQLTransport

/// The clock of one server's connections, on event loops of their own. It moves only by `pass`, so that no test of a
/// deadline depends on how fast the machine is.
///
/// Connections set their deadlines by the system's clock: a deadline that is set after `pass(t)` comes earlier by `t`.
/// What has a timer of its own does not follow the clock: `EventQueue`, `Admission` and sleeping tasks.
final class ManualClock: Sendable {
    private let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    /// How far it is ahead of the system's clock.
    private let passed = Mutex(TimeAmount.zero)

    /// Lets time pass for all connections.
    func pass(_ time: TimeAmount) async throws {
        let passed = passed.withLock { passed in
            passed = passed + time
            return passed
        }
        for eventLoop in eventLoops.makeIterator() {
            try await eventLoop.submit { EventLoopExecutor.of(eventLoop).clock.pass(to: .now() + passed) }.get()
        }
    }

    fileprivate static func run(_ body: (ManualClock, any EventLoopGroup) async throws -> Void) async throws {
        let clock = ManualClock()
        for eventLoop in clock.eventLoops.makeIterator() {
            try await eventLoop.submit { EventLoopExecutor.of(eventLoop).clock.isManual = true }.get()
        }
        // After an error the event loops are left running: tasks that were not ended may still need them.
        try await body(clock, clock.eventLoops)
        try await clock.eventLoops.shutdownGracefully()
    }
}

extension TestServer {
    /// A server for whose connections time passes only where the body lets it.
    static func runByManualClock(
        _ configure: (inout GraphQLServer<TestContext>) -> Void = { _ in },
        _ body: @Sendable (TestServer, ManualClock) async throws -> Void
    ) async throws {
        try await ManualClock.run { (clock, eventLoops) async throws in
            try await run(on: eventLoops, configure) { (server) async throws in try await body(server, clock) }
        }
    }
}
