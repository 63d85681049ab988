import NIOCore

/// The limits of how many operations run at once, and of how many wait and how long.
public struct AdmissionLimits: Sendable {
    /// The limits of one kind of operation.
    public struct Kind: Sendable {
        /// The greatest number of operations that run at once.
        public var running: Int
        /// The greatest number of waiting operations of members. As many of other clients may wait, too.
        public var waiting: Int
        /// The longest wait that counts as normal; see `interval`.
        public var target: TimeAmount

        public init(running: Int, waiting: Int, target: TimeAmount) {
            self.running = running
            self.waiting = waiting
            self.target = target
        }
    }

    /// The greatest number of operations that run at once, of all kinds together. It is less than the sum of the kinds'
    /// limits, so that the kinds compete for the last places, and cheap operations get them before heavy ones.
    public var running = 192
    public var mutations = Kind(running: 64, waiting: 512, target: .milliseconds(300))
    /// Queries and subscriptions of a cost of 10 at most.
    public var lookups = Kind(running: 96, waiting: 1024, target: .milliseconds(100))
    /// Queries and subscriptions of a cost of more than 10 and 100 at most.
    public var lists = Kind(running: 64, waiting: 512, target: .milliseconds(200))
    /// Queries and subscriptions of a higher cost.
    public var heavy = Kind(running: 32, waiting: 128, target: .milliseconds(300))
    /// How long the waits of a class have to exceed their target before the class counts as overloaded.
    /// RFC 8289, 4.2 "Interval"
    public var interval = TimeAmount.milliseconds(100)
    /// The longest wait. An operation that has waited longer is refused.
    public var longestWait = TimeAmount.milliseconds(600)

    public init() {}

    subscript(kind: RequestClass.Kind) -> Kind {
        switch kind {
        case .mutation: mutations
        case .lookup: lookups
        case .list: lists
        case .heavy: heavy
        }
    }
}
