import Synchronization

/// A few threads that run what takes long and much memory, and a bounded queue before them. Nothing here runs on
/// Swift's cooperative threads, so a hash never stands before a request.
final class HashingPool: Sendable {
    private let queue: HashingQueue

    /// - Parameters:
    ///   - queueLimit: how many may wait; one more is refused at once.
    ///   - maximumWait: what has waited longer is refused when a thread is free or another hash is asked for.
    init(threads: Int, queueLimit: Int, maximumWait: Duration) {
        queue = HashingQueue(threads: threads, limit: queueLimit, maximumWait: maximumWait)
        for _ in 0..<threads { queue.startThread() }
    }

    deinit { queue.stop() }

    var waitingCount: Int { queue.waitingCount }

    /// The work of a task that is cancelled while it waits is left out.
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
