/// Waits between attempts: twice as long after each failure, up to a limit, with jitter so that clients do not come together.
struct BackOff {
    private var failures: Int

    init(failures: Int = 0) { self.failures = failures }

    mutating func reset() { failures = 0 }

    /// - Parameter atLeast: in seconds, as a server asks for it.
    mutating func next(atLeast: Double? = nil) -> Duration {
        let longest = min(30, 0.25 * Double(1 << min(failures, 7)))
        failures += 1
        return .milliseconds(Int(max(Double.random(in: longest / 2...longest), atLeast ?? 0) * 1000))
    }
}
