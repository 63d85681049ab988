import Limits
import Postgres
import Synchronization

/// A rate by account, in this replica's memory: writes are frequent, and a row in the database for each would cost more
/// than the rate protects. It takes one MiB, however many accounts it counts.
public final class AccountRate: Sendable {
    public let rate: Rate
    private let levels: Mutex<DrainingLevels>
    /// The microseconds after which one more is allowed.
    private let interval: Int64

    init(_ rate: Rate) {
        self.rate = rate
        interval = Int64(rate.window) * 1_000_000 / Int64(max(1, rate.quota))
        levels = Mutex(DrainingLevels(cellsPerRow: rate.quota > 0 ? 1 << 15 : 1))
    }

    /// nil if the rate has no limit.
    func take(_ account: UUID, now: Timestamp) -> RateUse? {
        guard rate.quota > 0 else { return nil }
        return levels.withLock { levels in
            let room = Int64(rate.window) * 1_000_000 - levels.level(of: account, at: now.microseconds)
            guard room >= interval else {
                return RateUse(rate, left: 0, wait: Double(interval - room) / 1_000_000)
            }
            levels.add(interval, to: account, at: now.microseconds)
            return RateUse(rate, left: Double(room - interval) / Double(interval), wait: 0)
        }
    }
}
