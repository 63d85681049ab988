import NIOCore
import NIOPosix

/// Runs a request's task on its connection's event loop, so that the task changes threads neither at its start nor at
/// its end.
final class EventLoopExecutor: TaskExecutor {
    private static let current = ThreadSpecificVariable<EventLoopExecutor>()

    let eventLoop: any EventLoop
    private let boundClock: NIOLoopBound<EventLoopClock>

    private init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        boundClock = NIOLoopBound(EventLoopClock(eventLoop), eventLoop: eventLoop)
    }

    /// The executor that all connections of an event loop share. To be called on that event loop.
    static func of(_ eventLoop: any EventLoop) -> EventLoopExecutor {
        if let current = current.currentValue, current.eventLoop === eventLoop { return current }
        let executor = EventLoopExecutor(eventLoop)
        current.currentValue = executor
        return executor
    }

    /// The clock that all connections of the event loop share. To be used on that event loop only.
    var clock: EventLoopClock { boundClock.value }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension EventLoop {
    /// Runs the body on the event loop and waits for its result. On the event loop's own thread the body runs at once.
    func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        if inEventLoop { return body() }
        return await withCheckedContinuation { continuation in
            execute { continuation.resume(returning: body()) }
        }
    }

    /// Runs the body on the event loop without waiting for it. On the event loop's own thread the body runs at once.
    func performSoon(_ body: @escaping @Sendable () -> Void) {
        if inEventLoop { body() } else { execute(body) }
    }
}
