import Foundation

/// The processor time that `body` takes on the calling thread. Unlike elapsed time, it does not include the time of other
/// threads and processes.
public func processorTime(of body: () throws -> Void) rethrows -> Duration {
    let start = threadTime()
    try body()
    return threadTime() - start
}

/// clock_gettime(2), CLOCK_THREAD_CPUTIME_ID
private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
