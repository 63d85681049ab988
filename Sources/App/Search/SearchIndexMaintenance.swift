import Postgres

/// Moves new entries from the pending lists of the search indexes into the indexes (PostgreSQL's manual, "GIN Fast
/// Update Technique"), and records new words, with which typing errors are compared. So no writer has to do either.
/// After a migration that changes the spelling of words, it spells existing entries anew. Safe on several replicas at
/// once.
public struct SearchIndexMaintenance: Sendable {
    private static let interval: Duration = .seconds(5)
    /// The pause between two batches of entries or words, which leaves the processor to other work.
    private static let rest: Duration = .milliseconds(200)

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Runs every five seconds until the task is cancelled. A failure is logged and does not end the loop.
    public func run() async {
        await environment.worker("search lists", every: Self.interval) {
            try await clean()
            while try await learn() { try await Task.sleep(for: Self.rest) }
            // The pending lists are cleaned between two batches, for every search reads through them.
            guard try await spell() else { return .afterInterval }
            try await Task.sleep(for: Self.rest)
            return .atOnce
        }.run()
    }

    func clean() async throws {
        _ = try await environment.pools.worker.run(Segment(["select clean_search_lists()"]))
    }

    /// - Returns: whether more entries can be spelled at once.
    func spell() async throws -> Bool { try await run(Batch(sql: "select spell_search_entries()")) }

    /// - Returns: whether more words can be recorded at once.
    func learn() async throws -> Bool { try await run(Batch(sql: "select learn_search_words()")) }

    private func run(_ batch: Batch) async throws -> Bool {
        try await environment.pools.worker.run(batch).first ?? false
    }
}

/// A call whose result is true if there is more to do at once.
private struct Batch: Statement {
    let sql: SQL

    func decode(_ row: Row) -> Bool { row.bool(0) }
}
