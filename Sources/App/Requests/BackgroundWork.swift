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
