/// So many in so many seconds: a bucket of that many, which fills evenly.
public struct Rate: Sendable, Equatable {
    /// As clients are told it: lower case letters and hyphens.
    public let name: String
    /// 0: any number.
    public var quota: Int
    /// In seconds.
    public internal(set) var window: Int

    init(_ name: String, _ quota: Int, in window: Int) {
        (self.name, self.quota, self.window) = (name, quota, window)
    }
}

/// What a rate left to the client or account that it counted.
public struct RateUse: Sendable, Equatable {
    public let rate: Rate
    public let remaining: Int
    /// Seconds until one more is allowed.
    public let next: Double
    public let isRefused: Bool

    /// - Parameters:
    ///   - left: what the bucket holds, with its fraction.
    ///   - wait: seconds until it holds one; 0 where one was taken.
    init(_ rate: Rate, left: Double, wait: Double) {
        self.rate = rate
        remaining = max(0, Int(left))
        isRefused = wait > 0
        next = wait > 0 ? wait : (left.rounded(.down) + 1 - left) * Double(rate.window) / Double(max(1, rate.quota))
    }
}
