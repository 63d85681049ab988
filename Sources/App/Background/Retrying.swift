import Postgres

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
