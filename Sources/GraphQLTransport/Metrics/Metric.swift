import Synchronization

/// A metric that only grows.
/// Prometheus, Metric types, "Counter"
public final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    init() {}

    public func increment(by amount: Int = 1) { value.add(amount, ordering: .relaxed) }

    public var current: Int { value.load(ordering: .relaxed) }
}

/// A metric that goes up and down.
/// Prometheus, Metric types, "Gauge"
public final class Gauge: Sendable {
    private let value = Atomic<Int>(0)

    init() {}

    public func increment() { value.add(1, ordering: .relaxed) }
    public func decrement() { value.subtract(1, ordering: .relaxed) }
    public func set(_ new: Int) { value.store(new, ordering: .relaxed) }

    public var current: Int { value.load(ordering: .relaxed) }
}

/// A metric that counts observed durations in buckets, and sums them up.
/// Prometheus, Metric types, "Histogram"
public final class Histogram: Sendable {
    /// The upper bounds of the buckets in seconds, in ascending order.
    public let bounds: [Double]
    private let counts: [Counter]
    private let microseconds = Counter()

    /// The bounds for requests, in seconds: from a cached answer's 50 µs to beyond the execution timeout.
    public static let requestDurations = [
        0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    init(bounds: [Double]) {
        self.bounds = bounds
        counts = (0...bounds.count).map { _ in Counter() }
    }

    public func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let value = Double(seconds) + Double(attoseconds) * 1e-18
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count].increment()
        microseconds.increment(by: Int(value * 1_000_000))
    }

    /// The number of observations at or below each bound, and at last the number of all.
    public var cumulativeCounts: [Int] {
        var sum = 0
        return counts.map { count in
            sum += count.current
            return sum
        }
    }

    /// The sum of all observations in seconds.
    public var sum: Double { Double(microseconds.current) / 1_000_000 }
}
