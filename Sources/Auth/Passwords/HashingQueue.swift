#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What the threads of a `HashingPool` share; unlike the pool, they keep it alive.
final class HashingQueue: @unchecked Sendable {
    // Unchecked: everything that changes is guarded by `mutex`.
    struct Job {
        let isCancelled: @Sendable () -> Bool
        let run: @Sendable () -> Void
        let refuse: @Sendable (HasherError) -> Void
        var addedAt = ContinuousClock.now
    }

    private let limit: Int
    private let threads: Int
    private let maximumWait: Duration
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wakeUp = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [Job] = []
    /// Threads with nothing to do: the jobs that they are about to take need no place in the queue.
    private var idle: Int
    private var isStopped = false
    /// Of the latest jobs, as an exponential mean.
    private var meanDuration = Duration.milliseconds(300)

    init(threads: Int, limit: Int, maximumWait: Duration) {
        self.threads = threads
        self.limit = limit
        self.maximumWait = maximumWait
        idle = threads
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(wakeUp, nil)
    }

    deinit {
        pthread_cond_destroy(wakeUp)
        pthread_mutex_destroy(mutex)
        wakeUp.deallocate()
        mutex.deallocate()
    }

    func startThread() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<HashingQueue>.fromOpaque(context).takeRetainedValue().work() }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        precondition(result == 0, "No thread can be made for password hashes.")
    }

    func add(_ job: Job) {
        let refusal: HasherError? = locked {
            guard waiting.count < limit + idle else { return .busy(retryAfter: secondsUntilRoom) }
            waiting.append(job)
            pthread_cond_signal(wakeUp)
            return nil
        }
        if let refusal { job.refuse(refusal) }
    }

    func stop() {
        locked {
            isStopped = true
            pthread_cond_broadcast(wakeUp)
        }
    }

    var waitingCount: Int { locked { waiting.count } }

    private func work() {
        while let job = take() {
            let start = ContinuousClock.now
            if job.isCancelled() {
                job.refuse(.cancelled)
            } else if start - job.addedAt > maximumWait {
                job.refuse(.busy(retryAfter: locked { secondsUntilRoom }))
            } else {
                job.run()
                locked { meanDuration = (meanDuration * 7 + (ContinuousClock.now - start)) / 8 }
            }
            locked { idle += 1 }
        }
    }

    /// nil when the pool has gone.
    private func take() -> Job? {
        locked {
            while waiting.isEmpty {
                if isStopped { return nil }
                pthread_cond_wait(wakeUp, mutex)
            }
            idle -= 1
            return waiting.removeFirst()
        }
    }

    private var secondsUntilRoom: Int {
        let wait = meanDuration * (waiting.count + 1) / threads
        return max(1, Int(wait.components.seconds) + (wait.components.attoseconds > 0 ? 1 : 0))
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
