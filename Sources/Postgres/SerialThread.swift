/// A thread that runs blocking work in order, so that the work does not block Swift's thread pool.
final class SerialThread: @unchecked Sendable {
    private let lock = Lock()
    private let wake: Condition
    private var work = Ring<@Sendable () -> Void>()
    private var isStopped = false

    init(named name: StaticString) {
        wake = Condition(lock)
        startThread(named: name) { self.runUntilStopped() }
    }

    /// Ends the thread after the queued work.
    func stop() {
        lock.withLock {
            isStopped = true
            wake.broadcast()
        }
    }

    /// Runs the body on the thread. Throws `PostgresError.unavailable` after `stop()`.
    func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let isAccepted = lock.withLock {
                guard !isStopped else { return false }
                work.append { continuation.resume(with: Result(catching: body)) }
                wake.broadcast()
                return true
            }
            if !isAccepted { continuation.resume(throwing: PostgresError.unavailable) }
        }
    }

    private func runUntilStopped() {
        while let next = next() { next() }
    }

    private func next() -> (@Sendable () -> Void)? {
        lock.withLock {
            while true {
                if let first = work.popFirst() { return first }
                if isStopped { return nil }
                wake.wait()
            }
        }
    }
}
