/// A histogram of durations whose bounds are powers of two, so that finding a bucket needs no search.
public struct DurationCounts: Sendable, Equatable {
    /// The upper bounds of all buckets but the last, in seconds: 64 µs, 128 µs and so on up to 4.2 s.
    public static let bounds = (6...22).map { Double(1 << $0) * 1e-6 }

    /// The number of durations in each bucket. The last one has those beyond all bounds.
    public private(set) var counts = [Int](repeating: 0, count: Self.bounds.count + 1)
    private var microseconds = 0

    public init() {}

    /// The sum of all durations in seconds.
    public var sum: Double { Double(microseconds) * 1e-6 }

    mutating func note(_ duration: Duration) {
        // Rounded up, so that a duration just above a bound is not counted as at or below it.
        let duration = max(0, Int((duration.nanoseconds + 999) / 1000))
        microseconds += duration
        let bucket = max(0, Int.bitWidth - max(0, duration - 1).leadingZeroBitCount - 6)
        counts[min(bucket, counts.count - 1)] += 1
    }
}
