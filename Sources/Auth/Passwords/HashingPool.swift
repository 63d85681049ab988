import Synchronization

/// Computes password hashes on threads of its own. Hashes that find no free thread wait in a bounded queue, because a
/// hash takes long and much memory. A hash never occupies Swift's cooperative threads, so it delays no other request.
final class HashingPool: Sendable {
    private let queue: HashingQueue

    /// - Parameters:
    ///   - queueLimit: the number of jobs that may wait; `FairQueue` chooses which job is refused when one more
    ///     comes.
    ///   - maximumWait: a job that has waited longer is refused as soon as a thread is free or another job is added.
    init(threads: Int, queueLimit: Int, maximumWait: Duration) {
        queue = HashingQueue(threads: threads, limit: queueLimit, maximumWait: maximumWait)
        for _ in 0..<threads { queue.startThread() }
    }

    deinit { queue.stop() }

    var waitingCount: Int { queue.waitingCount }
    var statistics: HashingStatistics { queue.statistics }

    /// Runs `work` on a thread of the pool. `work` is not run if the task is cancelled while the job waits.
    /// - Throws: `HasherError.busy` if the job is refused, `.cancelled` if it is not run because the task was
    ///   cancelled.
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
