import NIOCore

/// How many operations run at once, and which may wait to run.
public struct AdmissionLimits: Sendable {
    /// The limits of one kind of operation.
    public struct Kind: Sendable {
        /// The greatest number of operations that run at once.
        public var running: Int
        /// The greatest number of operations of members that wait, and as many of others.
        public var waiting: Int
        /// The wait that is tolerated while the server has more to do than it can.
        public var target: TimeAmount

        public init(running: Int, waiting: Int, target: TimeAmount) {
            self.running = running
            self.waiting = waiting
            self.target = target
        }
    }

    /// The greatest number of operations that run at once, of all kinds together. It is less than the sum of the kinds'
    /// limits: what is cheap then goes before what is heavy.
    public var running = 192
    public var mutations = Kind(running: 64, waiting: 512, target: .milliseconds(300))
    /// Operations of a cost of 10 at most.
    public var lookups = Kind(running: 96, waiting: 1024, target: .milliseconds(100))
    /// Operations of a cost of 100 at most.
    public var lists = Kind(running: 64, waiting: 512, target: .milliseconds(200))
    public var heavy = Kind(running: 32, waiting: 128, target: .milliseconds(300))
    /// How long waits have to exceed their target before a class counts as overloaded.
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
