#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The state that the threads of a `HashingPool` share. The threads retain the queue but not the pool, so the pool's
/// deinit can stop them.
final class HashingQueue: @unchecked Sendable {
    // Unchecked: `mutex` guards all mutable state.
    struct Job {
        let isCancelled: @Sendable () -> Bool
        let run: @Sendable () -> Void
        let refuse: @Sendable (HasherError) -> Void
    }

    /// A job that will not run, and the reason.
    private struct Refusal {
        let job: Job
        let error: HasherError
    }

    private let limit: Int
    private let threads: Int
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wakeUp = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: FairQueue<Job>
    /// The number of idle threads. Each is about to take a job, so the queue may hold that many jobs above its limit.
    private var idle: Int
    private var isStopped = false
    /// The exponential moving average of the jobs' duration.
    private var meanDuration = Duration.milliseconds(300)

    init(threads: Int, limit: Int, maximumWait: Duration, clock: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.threads = threads
        self.clock = clock
        start = clock()
        self.limit = limit
        waiting = FairQueue(maximumWait: maximumWait.microseconds)
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

    func add(_ job: Job, for client: HashingClient) {
        let refusals: [Refusal] = locked {
            let now = now
            let refusals = sweep(now)
            defer { pthread_cond_signal(wakeUp) }
            guard let last = waiting.add(job, for: client, limit: limit + idle, now: now) else { return refusals }
            return refusals + [Refusal(job: last, error: .busy(retryAfter: secondsUntilRoom))]
        }
        refuse(refusals)
    }

    func stop() {
        locked {
            isStopped = true
            pthread_cond_broadcast(wakeUp)
        }
    }

    var waitingCount: Int { locked { waiting.count } }

    private func work() {
        while true {
            let turn = take()
            refuse(turn.refusals)
            if turn.isLast { return }
            guard let job = turn.job else { continue }
            let start = clock()
            job.run()
            locked {
                meanDuration = (meanDuration * 7 + (clock() - start)) / 8
                idle += 1
            }
        }
    }

    /// Waits for a job to run or for jobs to refuse.
    /// - Returns: `isLast` is true if the pool has stopped and no job is left.
    private func take() -> (job: Job?, refusals: [Refusal], isLast: Bool) {
        locked {
            while true {
                let now = now
                let refusals = sweep(now)
                if let job = waiting.next(now: now) {
                    idle -= 1
                    return (job, refusals, false)
                }
                if isStopped || !refusals.isEmpty { return (nil, refusals, isStopped) }
                pthread_cond_wait(wakeUp, mutex)
            }
        }
    }

    /// Removes the cancelled jobs and the jobs that have waited too long. This bounds a job's wait even if other jobs
    /// always rank before it.
    private func sweep(_ now: Int64) -> [Refusal] {
        waiting.remove { $0.isCancelled() }.map { Refusal(job: $0, error: .cancelled) }
            + waiting.expire(now: now).map { Refusal(job: $0, error: .busy(retryAfter: secondsUntilRoom)) }
    }

    private func refuse(_ refusals: [Refusal]) {
        for refusal in refusals { refusal.job.refuse(refusal.error) }
    }

    private var now: Int64 { (clock() - start).microseconds }

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

extension Duration {
    fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
