/// A limit of `quota` requests in `window` seconds: a token bucket of that size, which refills evenly.
public struct Rate: Sendable, Equatable {
    /// The policy's name for clients: lower-case letters and hyphens.
    public let name: String
    /// 0: no limit.
    public var quota: Int
    /// In seconds.
    public internal(set) var window: Int

    init(_ name: String, _ quota: Int, in window: Int) {
        (self.name, self.quota, self.window) = (name, quota, window)
    }
}

/// The state of a rate after it counted a request.
public struct RateUse: Sendable, Equatable {
    public let rate: Rate
    /// The requests that are still allowed now.
    public let remaining: Int
    /// Seconds until one more is allowed.
    public let next: Double
    public let isRefused: Bool

    /// - Parameters:
    ///   - left: the tokens in the bucket, with their fraction.
    ///   - wait: the seconds until the bucket holds a token; 0 if one was taken.
    init(_ rate: Rate, left: Double, wait: Double) {
        self.rate = rate
        remaining = max(0, Int(left))
        isRefused = wait > 0
        next = wait > 0 ? wait : (left.rounded(.down) + 1 - left) * Double(rate.window) / Double(max(1, rate.quota))
    }
}
