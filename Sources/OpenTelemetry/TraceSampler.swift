import Synchronization

/// Decides whether a request is traced. A decision takes no lock and allocates nothing.
/// OpenTelemetry specification, Trace SDK, "ParentBased" around "TraceIdRatioBased"
public final class TraceSampler: Sendable {
    /// The greatest number of traces in a second that callers can ask for by their `traceparent`. Any client can send
    /// that header, so without a limit anyone could have all requests traced.
    public static let callersTracesPerSecond = 100

    /// A request without a `traceparent` is sampled where a random number is at most this one; nil for none.
    private let threshold: UInt64?
    private let callersLimit: UInt64
    private let sequence = Atomic<UInt64>(UInt64.random(in: 0...UInt64.max))
    /// The second in the upper half, and in the lower one the number of traces that callers have asked for in it.
    private let callersCount = Atomic<UInt64>(0)
    private let sampledCount = Atomic<Int>(0)
    private let declinedCount = Atomic<Int>(0)

    /// - Parameters:
    ///   - ratio: the share of the requests without a `traceparent` that are sampled, 0 to 1.
    ///   - callersTracesPerSecond: the greatest number of traces in a second that callers can ask for.
    public init(ratio: Double, callersTracesPerSecond: Int = TraceSampler.callersTracesPerSecond) {
        threshold = ratio <= 0 ? nil : ratio >= 1 ? .max : UInt64(ratio * 0x1p64)
        callersLimit = UInt64(callersTracesPerSecond)
    }

    /// The number of sampled traces.
    public var sampled: Int { sampledCount.load(ordering: .relaxed) }
    /// The number of traces that a caller asked for beyond the limit.
    public var declined: Int { declinedCount.load(ordering: .relaxed) }

    /// Decides one request or delivery, and counts the decision.
    /// - Parameters:
    ///   - callerSamples: the `sampled` flag of the caller's `traceparent`; nil without the header.
    ///   - second: the present time in seconds, on any clock.
    public func samples(callerSamples: Bool?, second: @autoclosure () -> UInt32) -> Bool {
        switch callerSamples {
        case false?: return false
        case true?:
            guard countsCaller(in: UInt64(second())) else {
                declinedCount.add(1, ordering: .relaxed)
                return false
            }
        case nil:
            guard let threshold, random() <= threshold else { return false }
        }
        sampledCount.add(1, ordering: .relaxed)
        return true
    }

    private func countsCaller(in second: UInt64) -> Bool {
        var known = callersCount.load(ordering: .relaxed)
        while true {
            let count = known >> 32 == second ? known & 0xFFFF_FFFF : 0
            if count >= callersLimit { return false }
            let (exchanged, found) = callersCount.compareExchange(
                expected: known, desired: second << 32 | (count + 1), ordering: .relaxed)
            if exchanged { return true }
            known = found
        }
    }

    /// SplitMix64 over a shared sequence: a system call for each request would cost more than the decision.
    /// Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014
    private func random() -> UInt64 {
        var z = sequence.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
