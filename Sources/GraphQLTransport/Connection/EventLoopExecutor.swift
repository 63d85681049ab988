import NIOCore
import NIOPosix

/// Lets a request's task go on where its connection lives, so that neither its start nor its end changes threads.
final class EventLoopExecutor: TaskExecutor {
    private static let current = ThreadSpecificVariable<EventLoopExecutor>()

    let eventLoop: any EventLoop
    private let boundClock: NIOLoopBound<EventLoopClock>

    private init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        boundClock = NIOLoopBound(EventLoopClock(eventLoop), eventLoop: eventLoop)
    }

    /// The one of all connections of the event loop, which is the caller's own.
    static func of(_ eventLoop: any EventLoop) -> EventLoopExecutor {
        if let current = current.currentValue, current.eventLoop === eventLoop { return current }
        let executor = EventLoopExecutor(eventLoop)
        current.currentValue = executor
        return executor
    }

    /// Shared like the executor. To be used on the event loop alone.
    var clock: EventLoopClock { boundClock.value }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension EventLoop {
    /// Does it at once where this is the event loop's own thread.
    func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        if inEventLoop { return body() }
        return await withCheckedContinuation { continuation in
            execute { continuation.resume(returning: body()) }
        }
    }

    /// The same without waiting for it.
    func performSoon(_ body: @escaping @Sendable () -> Void) {
        if inEventLoop { body() } else { execute(body) }
    }
}
