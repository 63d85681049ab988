/// The pauses between attempts that fail: at most 25 ms after the first, doubled after each further one, up to a
/// second.
///
/// Each pause is shortened by a random share of up to a half, so that clients that failed together do not try again
/// together.
struct BackOff {
    private static let shortest = 25
    private static let longest = 1000

    private(set) var failures = 0

    mutating func failed(using generator: inout some RandomNumberGenerator) -> Duration {
        let limit = min(BackOff.longest, BackOff.shortest << min(failures, 6))
        failures += 1
        // `Int.random(in:using:)` may never return for a generator whose numbers are all the same, as a test's may be.
        let share = ((generator.next() >> 32) * UInt64(limit - limit / 2 + 1)) >> 32
        return .milliseconds(limit / 2 + Int(share))
    }

    mutating func succeeded() { failures = 0 }
}
