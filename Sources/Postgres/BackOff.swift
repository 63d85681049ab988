/// The pauses between tries that fail: 25 ms after the first, doubled up to a second.
///
/// A random share of up to a half is taken off, so that clients that failed together do not try again together.
struct BackOff {
    private static let shortest = 25
    private static let longest = 1000

    private(set) var failures = 0

    mutating func failed(using generator: inout some RandomNumberGenerator) -> Duration {
        let limit = min(BackOff.longest, BackOff.shortest << min(failures, 6))
        failures += 1
        // Not `Int.random(in:using:)`, which asks again and again where a generator always gives the same.
        let share = ((generator.next() >> 32) * UInt64(limit - limit / 2 + 1)) >> 32
        return .milliseconds(limit / 2 + Int(share))
    }

    mutating func succeeded() { failures = 0 }
}
