import Glibc

/// A condition variable of `lock`, with deadlines by the monotonic clock.
final class Condition: @unchecked Sendable {
    private let lock: Lock
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init(_ lock: Lock) {
        self.lock = lock
        condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    func broadcast() { pthread_cond_broadcast(condition) }

    /// The caller holds the lock.
    func wait() { pthread_cond_wait(condition, lock.mutex) }

    /// Returns at the latest at `instant`. The caller holds the lock.
    func wait(until instant: Instant) {
        var time = timespec(
            tv_sec: Int(instant.nanoseconds / 1_000_000_000), tv_nsec: Int(instant.nanoseconds % 1_000_000_000))
        pthread_cond_timedwait(condition, lock.mutex, &time)
    }
}
