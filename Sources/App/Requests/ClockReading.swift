import Postgres

/// A comparison of the database's clock with this machine's.
public struct ClockReading: Sendable, Equatable {
    /// Positive where the database is ahead.
    public let difference: Duration
    /// Half of the time that the comparison took: the true difference is at most this far from `difference`.
    public let uncertainty: Duration

    public init(difference: Duration, uncertainty: Duration) {
        self.difference = difference
        self.uncertainty = uncertainty
    }

    /// - Parameters:
    ///   - database: the database's time, read between `before` and `after`.
    ///   - before: this machine's time.
    init(database: Timestamp, before: Timestamp, after: Timestamp) {
        let half = max(0, after.microseconds - before.microseconds) / 2
        difference = .microseconds(database.microseconds - before.microseconds - half)
        uncertainty = .microseconds(half)
    }

    /// The least amount that the clocks differ by, whichever is ahead.
    public var leastDifference: Duration {
        max(.zero, max(difference, .zero - difference) - uncertainty)
    }
}
