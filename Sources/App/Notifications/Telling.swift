import Postgres

/// Makes notifications of what happened, beside the requests that did it; safe on several replicas at once.
public struct Telling: Sendable {
    /// Acts that are told in one transaction.
    private static let batchSize: Int32 = 500
    /// How often it is looked for what a replica left behind that ended.
    private static let interval: Duration = .seconds(1)
    /// Acts that follow each other closely are told together.
    private static let pace: Duration = .milliseconds(50)

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    public func run() async {
        var failures = 0
        while !Task.isCancelled {
            do {
                try await tell()
                failures = 0
            } catch {
                if Task.isCancelled { return }
                if failures == 0 {
                    environment.logger.warning("notifications are not made", metadata: ["error": "\(error)"])
                }
                failures += 1
            }
            try? await Task.sleep(for: failures == 0 ? Self.pace : Self.interval)
            _ = await environment.changes.acted.wait(atMost: Self.interval)
        }
    }

    /// Everything that has happened so far.
    func tell() async throws {
        while try await environment.pools.worker.run(TellNews(batch: Self.batchSize)).first ?? 0 > 0 {
            environment.changes.noteWrite()
            if Task.isCancelled { return }
        }
    }
}

/// How many acts were told.
struct TellNews: Statement {
    let batch: Int32

    var sql: SQL { "select tell_news(\(batch))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}
