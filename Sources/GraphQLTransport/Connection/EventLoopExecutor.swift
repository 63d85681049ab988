import NIOCore
import NIOPosix

/// Lets a request's task go on where its connection lives, so that neither its start nor its end changes threads.
final class EventLoopExecutor: TaskExecutor {
    private static let current = ThreadSpecificVariable<EventLoopExecutor>()

    private let eventLoop: any EventLoop
    /// Shared like the executor.
    let clock: NIOLoopBound<EventLoopClock>

    private init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        clock = NIOLoopBound(EventLoopClock(eventLoop), eventLoop: eventLoop)
    }

    /// The one of all connections of the event loop, which is the caller's own.
    static func of(_ eventLoop: any EventLoop) -> EventLoopExecutor {
        if let current = current.currentValue, current.eventLoop === eventLoop { return current }
        let executor = EventLoopExecutor(eventLoop)
        current.currentValue = executor
        return executor
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
