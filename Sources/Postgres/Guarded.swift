/// A value that is used under a lock. Its memory is allocated by hand, because Swift then checks no exclusivity at run
/// time; the lock guarantees it.
final class Guarded<Value>: @unchecked Sendable {
    private let lock: Lock
    private let value: UnsafeMutablePointer<Value>

    init(_ value: Value, by lock: Lock = Lock()) {
        self.lock = lock
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    @inline(__always)
    func withLock<R>(_ body: (inout Value) -> R) -> R {
        lock.withLock { body(&value.pointee) }
    }
}
