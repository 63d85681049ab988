/// The ends of the primary's WAL that probes have seen, with their times. A standby's data are as old as the first end
/// that the standby has not reached. The clocks of the servers do not matter, and an idle primary makes no lag.
struct WALTrail {
    private static let length = 256

    private var samples: [(wal: Int64, at: Instant)] = []

    /// Notes that the primary's WAL ended at `wal`. `at` is a time before the primary was asked.
    mutating func append(_ wal: Int64, at: Instant) {
        guard wal != samples.last?.wal else { return }
        // The WAL of another primary may end earlier.
        if let last = samples.last, wal < last.wal { samples = [] }
        if samples.count == Self.length { samples.removeFirst() }
        samples.append((wal, at))
    }

    /// The age of the data of a standby that has replayed the WAL up to `replayed`, to within the time between two
    /// probes. If the standby has not reached the oldest sample, its data are at least this old.
    func lag(of replayed: Int64, now: Instant) -> Duration {
        guard let missing = samples.first(where: { $0.wal > replayed }) else { return .zero }
        return max(.zero, now - missing.at)
    }
}
