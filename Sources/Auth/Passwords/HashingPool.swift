import Synchronization

/// Threads for work that takes long and much memory, behind a bounded queue. The work never occupies Swift's
/// cooperative threads, so a hash delays no request.
final class HashingPool: Sendable {
    private let queue: HashingQueue

    /// - Parameters:
    ///   - queueLimit: the number of jobs that may wait; `FairQueue` chooses which job is refused when one more
    ///     comes.
    ///   - maximumWait: a job that has waited longer is refused as soon as a thread is free or another job is added.
    ///   - clock: measures how long jobs wait and take.
    init(
        threads: Int, queueLimit: Int, maximumWait: Duration,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        queue = HashingQueue(threads: threads, limit: queueLimit, maximumWait: maximumWait, clock: clock)
        for _ in 0..<threads { queue.startThread() }
    }

    deinit { queue.stop() }

    var waitingCount: Int { queue.waitingCount }

    /// Runs `work` on a thread of the pool. If the task is cancelled while it waits, `work` is not run.
    /// - Throws: `HasherError.busy` if the job is refused, `.cancelled`.
    func run<Output: Sendable>(
        for client: HashingClient = .local, _ work: @escaping @Sendable () -> Output
    ) async throws(HasherError) -> Output {
        let cancellation = Cancellation()
        let result: Result<Output, HasherError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.add(
                    HashingQueue.Job(
                        isCancelled: { cancellation.requested.load(ordering: .relaxed) },
                        run: { continuation.resume(returning: .success(work())) },
                        refuse: { continuation.resume(returning: .failure($0)) }), for: client)
            }
        } onCancel: {
            cancellation.requested.store(true, ordering: .relaxed)
        }
        return try result.get()
    }

    private final class Cancellation: Sendable {
        let requested = Atomic(false)
    }
}
