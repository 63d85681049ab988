import Postgres

/// Moves what is new from the lists of the search indexes into the indexes, so that no writer has to; safe on several
/// replicas at once.
/// Source: PostgreSQL's manual, "GIN Fast Update Technique"
public struct SearchLists: Sendable {
    private static let interval: Duration = .seconds(5)

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    public func run() async {
        while !Task.isCancelled {
            do {
                try await clean()
            } catch {
                environment.logger.warning("search lists are not cleaned", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: Self.interval)
        }
    }

    func clean() async throws {
        _ = try await environment.pools.worker.run(Segment(["select clean_search_lists()"]))
    }
}
