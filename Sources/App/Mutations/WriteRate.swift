import Postgres
import Synchronization

/// A token bucket an account, in memory: writes are many, and a row a write would cost more than it guards.
public final class WriteRate: Sendable {
    private struct Bucket {
        var tokens: Double
        var at: Timestamp
    }

    private static let maximumBuckets = 65_536
    private let perMinute: Double
    private struct State {
        var buckets: [UUID: Bucket] = [:]
        /// How many buckets there may be before those that say nothing are dropped.
        var limit = WriteRate.maximumBuckets
    }

    private let state = Mutex(State())

    /// 0 means: no limit.
    public init(perMinute: Int) { self.perMinute = Double(perMinute) }

    /// The seconds to wait, nil where there is nothing to wait for.
    func take(_ account: UUID, now: Timestamp) -> Double? {
        guard perMinute > 0 else { return nil }
        return state.withLock { state in
            if state.buckets.count >= state.limit {
                // A bucket that has been full for a minute says nothing.
                state.buckets = state.buckets.filter { now.microseconds - $0.value.at.microseconds < 60_000_000 }
                // Not to look at all of them at each write while more accounts than that are writing.
                state.limit = max(Self.maximumBuckets, 2 * state.buckets.count)
            }
            var bucket = state.buckets[account] ?? Bucket(tokens: perMinute, at: now)
            let seconds = max(0, Double(now.microseconds - bucket.at.microseconds) / 1_000_000)
            bucket.tokens = min(perMinute, bucket.tokens + seconds * perMinute / 60)
            bucket.at = now
            defer { state.buckets[account] = bucket }
            guard bucket.tokens >= 1 else { return (1 - bucket.tokens) * 60 / perMinute }
            bucket.tokens -= 1
            return nil
        }
    }
}
