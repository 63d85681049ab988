import Postgres

extension Environment {
    /// Works through a queue until the task is cancelled. `next` handles one entry and returns whether there was one.
    /// After an empty queue or a failure it is called again in a second.
    func work(_ what: String, _ next: () async throws -> Bool) async {
        while !Task.isCancelled {
            do {
                if try await next() { continue }
            } catch is CancellationError {
                return
            } catch {
                let text = (error as? PostgresError)?.server?.withoutValues ?? "\(error)"
                logger.warning("a job failed and is tried again", metadata: ["job": "\(what)", "error": "\(text)"])
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }
}

extension Pool {
    /// Runs a segment, and again up to three times, with jitter, after a serialization failure or a deadlock, which
    /// undid it.
    func retrying(_ segment: Segment) async throws -> [Rows] {
        var triesLeft = 3
        while true {
            do {
                return try await run(segment)
            } catch let error as PostgresError where error.isRetryable && triesLeft > 0 {
                triesLeft -= 1
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...40)))
            }
        }
    }
}
