/// Waits between attempts: twice as long after each failure, up to a limit, with jitter so that clients do not come
/// together.
struct BackOff {
    private var failures: Int

    init(failures: Int = 0) { self.failures = failures }

    mutating func reset() { failures = 0 }

    /// The longest wait that a server can ask for, in seconds: a day.
    private static let longestAsked = 86_400.0

    /// - Parameter atLeast: in seconds, as a server asks for it. NaN counts as nil.
    mutating func next(atLeast: Double? = nil) -> Duration {
        let longest = min(30, 0.25 * Double(1 << min(failures, 7)))
        failures += 1
        let asked = atLeast.map { $0.isNaN ? 0 : min($0, Self.longestAsked) } ?? 0
        return .milliseconds(Int(max(Double.random(in: longest / 2...longest), asked) * 1000))
    }
}
