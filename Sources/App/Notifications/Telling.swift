import Postgres

/// Makes notifications of what happened, beside the requests that did it; safe on several replicas at once.
public struct Telling: Sendable {
    /// Acts that are told in one transaction.
    static let batchSize: Int32 = 500
    /// How often it is looked for what a replica left behind that ended, or what an older transaction held up.
    private static let interval: Duration = .seconds(1)
    /// Acts that follow each other closely are told together.
    private static let pace: Duration = .milliseconds(50)

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    public func run() async {
        await environment.worker("notifications", every: Self.interval) { try await tell() }.run()
    }

    private func tell() async throws -> PeriodicWorker.Next {
        var told = try await tellBatch()
        if told == 0 {
            // What an older transaction held up at the first look is often there at the second.
            try await Task.sleep(for: Self.pace)
            told = try await tellBatch()
        }
        if told >= Self.batchSize { return .atOnce }
        try await Task.sleep(for: Self.pace)
        if told == 0 { _ = await environment.changes.acted.wait(atMost: Self.interval) }
        return .atOnce
    }

    /// - Returns: how many acts there were; of a large event's guests some may be left.
    private func tellBatch() async throws -> Int32 {
        let told = try await environment.pools.worker.run(TellNews(batch: Self.batchSize)).first ?? 0
        if told > 0 { environment.changes.noteWrite() }
        return told
    }
}

/// How many acts were told.
struct TellNews: Statement {
    let batch: Int32

    var sql: SQL { "select tell_news(\(batch))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}
