import Postgres

/// Moves what is new from the lists of the search indexes into the indexes (PostgreSQL's manual, "GIN Fast Update
/// Technique"), and learns the words that slips are compared with, so that no writer has to; safe on several replicas at once.
public struct SearchLists: Sendable {
    private static let interval: Duration = .seconds(5)
    /// Between two batches of words, so that learning leaves the processor to others.
    private static let rest: Duration = .milliseconds(200)

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

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

    /// - Returns: whether there is more to learn at once.
    func learn() async throws -> Bool { try await environment.pools.worker.run(LearnSearchWords()).first ?? false }
}

private struct LearnSearchWords: Statement {
    var sql: SQL { "select learn_search_words()" }

    func decode(_ row: Row) -> Bool { row.bool(0) }
}
