import Postgres

/// Updates the table `thought_ranks`, by which thoughts are sorted by likes, comments and ratings, from the change log.
/// Safe on several replicas at once.
///
/// The counters themselves are exact at every commit. The ranks follow within seconds, so that a thought that gets a
/// hundred likes meanwhile is moved once.
public struct ThoughtRanks: Sendable {
    private static let interval: Duration = .seconds(5)
    /// The least time from the beginning of a run to that of the next one, on all replicas together, in seconds. It is
    /// below the interval, so that one replica alone is never held back by its own last run.
    private static let lease = 4.0
    /// The most rows of the change log that are read at once.
    private static let window = 20_000
    /// The most thoughts that one transaction writes: readers of the change log wait for the oldest transaction.
    private static let batchSize = 500

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Updates the ranks every five seconds until the task is cancelled.
    public func run() async {
        await environment.worker("ranks of thoughts", every: Self.interval) {
            try await refresh(lease: Self.lease)
            return .afterInterval
        }.run()
    }

    /// - Parameter lease: the seconds that must have passed since the last run on any replica began.
    func refresh(lease: Double) async throws {
        let pool = environment.pools.worker
        var lease = lease
        while let next = try await pool.run(BeginRanking(window: Int32(Self.window), lease: lease)).first {
            for start in stride(from: 0, to: next.thoughts.count, by: Self.batchSize) {
                let batch = Array(next.thoughts[start...].prefix(Self.batchSize))
                _ = try await pool.run(Segment(["select rank_thoughts(\(batch))"]))
            }
            if let passed = next.passed {
                let (xid, id) = passed
                _ = try await pool.run(
                    Segment([
                        """
                        update thought_ranks_position set xid = \(xid)::xid8, id = \(id) \
                        where (xid, id) < (\(xid)::xid8, \(id))
                        """
                    ]))
            }
            guard next.hasMore, !Task.isCancelled else { return }
            lease = 0
        }
    }
}

private struct BeginRanking: Statement {
    struct Output: Sendable {
        let thoughts: [UUID]
        /// The position of the last row of the change log that need not be read again; nil if there is none.
        let passed: (xid: String, id: Int64)?
        let hasMore: Bool
    }

    let window: Int32
    let lease: Double

    var sql: SQL {
        "select thoughts, passed_xid::text, passed_id, has_more from begin_ranking(\(window), \(lease))"
    }

    func decode(_ row: Row) -> Output {
        Output(
            thoughts: row.uuids(0), passed: row.isNull(1) ? nil : (row.string(1), row.int64(2)),
            hasMore: row.bool(3))
    }
}
