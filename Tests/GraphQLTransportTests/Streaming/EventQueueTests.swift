import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import GraphQLTransport

@Suite(.timeLimit(.minutes(10)))
struct EventQueueTests {
    private let eventLoop = MultiThreadedEventLoopGroup.singleton.any()

    private func queue(count: Int = 2, bytes: Int = 100, stall: TimeAmount = .minutes(5)) -> EventQueue {
        var limits = StreamLimits()
        limits.queuedEvents = count
        limits.queuedBytes = bytes
        limits.stallTimeout = stall
        return EventQueue(limits)
    }

    private func event(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

    @Test func keepsTheOrder() {
        let queue = queue()
        for text in ["a", "b", "c"] { queue.append(event(text)) }
        #expect(queue.take() == event("a"))
        #expect(queue.take() == event("b"))
        #expect(queue.take() == event("c"))
        #expect(queue.take() == nil)
    }

    @Test func tellsTheReaderOnceUntilItHasSeenTheEnd() {
        let queue = queue()
        let calls = Atomic(0)
        queue.append(event("early"))
        queue.attach { calls.add(1, ordering: .relaxed) }
        #expect(calls.load(ordering: .relaxed) == 1)
        queue.append(event("b"))
        #expect(calls.load(ordering: .relaxed) == 1)
        while queue.take() != nil {}
        queue.append(event("c"))
        #expect(calls.load(ordering: .relaxed) == 2)
    }

    @Test func hasRoomByCountAndByBytes() async {
        let many = queue(count: 2, stall: .milliseconds(20))
        #expect(await many.room(on: eventLoop))
        many.append(event("a"))
        #expect(await many.room(on: eventLoop))
        many.append(event("b"))
        #expect(await !many.room(on: eventLoop))
        let large = queue(bytes: 3, stall: .milliseconds(20))
        large.append(event("abcd"))
        #expect(await !large.room(on: eventLoop))
        _ = large.take()
        #expect(await large.room(on: eventLoop))
    }

    @Test func aReaderMakesRoom() async {
        let queue = queue(count: 1)
        queue.append(event("a"))
        // Begun at once, so that it waits before the next line runs.
        let waiting = Task.immediate { await queue.room(on: eventLoop) }
        _ = queue.take()
        #expect(await waiting.value)
    }

    @Test func waitingEndsWithTheQueueAndWithTheTask() async {
        let queue = queue(count: 1)
        queue.append(event("a"))
        let cancelled = Task.immediate { await queue.room(on: eventLoop) }
        let closed = Task.immediate { await queue.room(on: eventLoop) }
        cancelled.cancel()
        #expect(await !cancelled.value)
        queue.close()
        #expect(await !closed.value)
        #expect(queue.isEmpty)
        queue.append(event("b"))
        #expect(queue.isEmpty)
        #expect(await !queue.room(on: eventLoop))
    }
}
