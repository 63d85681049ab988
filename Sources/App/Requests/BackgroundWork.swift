import Postgres

extension Environment {
    /// Works a queue until the task is cancelled: `next` says whether there was something to do; without, and after a
    /// failure, it is asked again in a second.
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
    /// A serialization failure or a deadlock left nothing behind: up to three more tries, with jitter.
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
