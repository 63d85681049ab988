import GraphQL
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import GraphQLTransport

@Suite(.timeLimit(.minutes(10))) struct EventReaderTests {
    /// Events that are there when they are read, and rest otherwise.
    private final class Source: Sendable {
        struct State {
            var readings = 0
            var running = 0
            var isStopped = false
            var pending = 0
        }

        let state = Mutex(State())

        var events: OperationEvents {
            OperationEvents(
                read: { sink, deliver in
                    self.state.withLock { state in
                        state.readings += 1
                        state.running += 1
                    }
                    while self.take(), await deliver(.event(Self.response)) { await Task.yield() }
                    self.state.withLock { $0.running -= 1 }
                }, stop: { self.state.withLock { $0.isStopped = true } })
        }

        private func take() -> Bool {
            state.withLock { state in
                if state.pending == 0 { return false }
                state.pending -= 1
                return true
            }
        }

        private static var response: GraphQL.Response { GraphQL.Response(RequestError([GraphQLError("none")])) }
    }

    private static func executor() async throws -> EventLoopExecutor {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        return try await eventLoop.submit { EventLoopExecutor.of(eventLoop) }.get()
    }

    @Test func readsAgainWhenItIsWoken() async throws {
        let source = Source()
        let delivered = Mutex(0)
        let reader = EventReader(
            source.events, on: try await Self.executor(),
            deliver: { _ in
                delivered.withLock { $0 += 1 }; return true
            }, hand: { _ in true })
        reader.start()
        for number in 1...50 {
            source.state.withLock { $0.pending += 1 }
            reader.wake()
            try await eventually("the delivery of event \(number)") { delivered.withLock { $0 } == number }
        }
        #expect(source.state.withLock { $0.readings } >= 50)
        #expect(!source.state.withLock { $0.isStopped })
        reader.stop()
        #expect(source.state.withLock { $0.isStopped })
    }

    @Test func nothingIsReadOnceItWasStopped() async throws {
        let source = Source()
        let executor = try await Self.executor()
        let reader = EventReader(source.events, on: executor, deliver: { _ in true }, hand: { _ in true })
        reader.stop()
        reader.start()
        reader.wake()
        // A task that had begun would have run before this one.
        await Task(executorPreference: executor) {}.value
        #expect(source.state.withLock { $0.readings } == 0)
    }

    @Test func connectionsOfAnEventLoopShareAnExecutor() async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let two = try await eventLoop.submit { (EventLoopExecutor.of(eventLoop), EventLoopExecutor.of(eventLoop)) }
            .get()
        #expect(two.0 === two.1)
    }
}
