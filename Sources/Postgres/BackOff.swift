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
        return .milliseconds(Int.random(in: limit / 2...limit, using: &generator))
    }

    mutating func succeeded() { failures = 0 }
}
