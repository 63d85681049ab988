import CEpoll
import Glibc

/// A pthread mutex: held for microseconds, never across a suspension.
final class Lock: @unchecked Sendable {
    fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @inline(__always)
    func lock() { pthread_mutex_lock(mutex) }

    @inline(__always)
    func unlock() { pthread_mutex_unlock(mutex) }

    @inline(__always)
    func withLock<R>(_ body: () throws -> R) rethrows -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}

/// A condition variable that is signalled under `lock`.
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

    /// The caller holds the lock; returns at the latest at `instant`.
    func wait(until instant: Instant) {
        var time = timespec(
            tv_sec: Int(instant.nanoseconds / 1_000_000_000), tv_nsec: Int(instant.nanoseconds % 1_000_000_000))
        pthread_cond_timedwait(condition, lock.mutex, &time)
    }
}

/// Nanoseconds of the monotonic clock.
struct Instant: Sendable, Comparable {
    var nanoseconds: Int64

    static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(nanoseconds: instant.nanoseconds + duration.nanoseconds)
    }

    static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

/// Starts a detached thread; `name` has at most 15 bytes.
func startThread(named name: StaticString, _ body: @escaping @Sendable () -> Void) {
    final class Start {
        let name: StaticString
        let body: @Sendable () -> Void
        init(_ name: StaticString, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(name, body))
    let failure = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
            start.name.withUTF8Buffer { bytes in
                withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
                    for (offset, byte) in bytes.enumerated() { text[offset] = CChar(bitPattern: byte) }
                    text[bytes.count] = 0
                    if let address = text.baseAddress { cepoll_name_current_thread(address) }
                }
            }
            start.body()
            return nil
        }, start.toOpaque())
    precondition(failure == 0, "pthread_create")
    pthread_detach(thread)
}
