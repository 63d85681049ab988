import Postgres
import Synchronization

/// Reads, every 15 seconds, how many rows the queues in the database have and how late the oldest row of each is.
/// Metrics show the last reading, since a scrape must not wait for the database. All replicas share the queues.
public struct QueueWatch: Sendable {
    private static let interval: Duration = .seconds(15)

    private let environment: Environment
    private let latest: LatestQueueDepths

    public init(_ environment: Environment, _ latest: LatestQueueDepths) {
        (self.environment, self.latest) = (environment, latest)
    }

    /// Runs until the task is cancelled.
    public func run() async {
        await environment.worker("the watch over queues", every: Self.interval) {
            try await read()
            return .afterInterval
        }.run()
    }

    func read() async throws {
        do {
            let depths = try await environment.pools.worker.run(QueueDepths()).first
            latest.depths.withLock { $0 = depths }
        } catch {
            // Old figures would hide that the queues cannot be read.
            latest.depths.withLock { $0 = nil }
            throw error
        }
    }
}

/// The figures that `QueueWatch` has read last.
public final class LatestQueueDepths: Sendable {
    let depths = Mutex<QueueDepths.Output?>(nil)

    public init() {}

    /// Each queue with its length, at most `QueueDepths.limit`, and with the seconds since its oldest row was due, or 0
    /// if no row is due. The list is empty before the first reading and after a reading that failed.
    public var all: [(queue: String, length: Int, overdue: Double)] {
        guard let depths = depths.withLock({ $0 }) else { return [] }
        return [
            ("mail", depths.mails, depths.mailsOverdue), ("push", depths.pushes, depths.pushesOverdue),
        ]
    }
}

/// The rows of the queues, and the seconds since the oldest one of each was due.
struct QueueDepths: Statement {
    /// A longer queue counts as this long, so that the statement stays cheap.
    static let limit: Int64 = 10_000

    typealias Output = (mails: Int, mailsOverdue: Double, pushes: Int, pushesOverdue: Double)

    var sql: SQL {
        """
        select (select count(*) from (select from mails limit \(Self.limit)) m), \
        greatest(0, extract(epoch from now() - (select min(due_at) from mails)))::float8, \
        (select count(*) from (select from push_queue limit \(Self.limit)) p), \
        greatest(0, extract(epoch from now() - (select min(due_at) from push_queue)))::float8
        """
    }

    func decode(_ row: Row) -> Output { (Int(row.int64(0)), row.double(1), Int(row.int64(2)), row.double(3)) }
}
