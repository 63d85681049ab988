import Postgres

/// Moves new entries from the pending lists of the search indexes into the indexes (PostgreSQL's manual, "GIN Fast
/// Update Technique"), and keeps the vocabulary in which a search looks up mistyped words. So no writer has to do
/// either. Safe on several replicas at once.
public struct SearchIndexMaintenance: Sendable {
    private static let interval: Duration = .seconds(5)
    /// The pause between two batches of words, which leaves the processor to other work.
    private static let rest: Duration = .milliseconds(200)

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Runs every five seconds until the task is cancelled. A failure is logged and does not end the loop.
    public func run() async {
        await environment.worker("search lists", every: Self.interval) {
            try await clean()
            while try await learn() { try await Task.sleep(for: Self.rest) }
            return .afterInterval
        }.run()
    }

    func clean() async throws {
        _ = try await environment.pools.worker.run(Segment(["select clean_search_lists()"]))
    }

    /// Adds the words of the next batch of entries to the vocabulary. Once a day a walk through all entries begins. It
    /// ends with dropping the words that no entry has. Between two walks, a batch is of the newest entries.
    /// - Returns: true if the next batch can follow at once.
    func learn() async throws -> Bool { try await environment.pools.worker.run(LearnSearchWords()).first ?? false }
}

private struct LearnSearchWords: Statement {
    var sql: SQL { "select learn_search_words()" }

    func decode(_ row: Row) -> Bool { row.bool(0) }
}
