/// The settings of a `Pool`.
public struct PoolConfiguration: Sendable {
    public var connection: ConnectionConfiguration
    /// The pool's name in logs and statistics.
    public var name: String
    /// The number of connections that the pool keeps open.
    public var connections: Int
    /// The greatest number of segments in flight on each connection; further segments wait in order.
    public var maxInFlight: Int
    /// The greatest number of segments that wait for a connection; one more fails with `.overloaded`. Segments of slow
    /// kinds wait apart, and are counted apart.
    public var maxQueue = 4096
    /// The longest time from `start` to the answer, for calls that give no deadline of their own.
    public var deadline: Duration = .seconds(3)
    /// A connection with an answer due is closed when the server has sent nothing for longer than `deadline` and
    /// `grace` together, and the oldest segment's own deadline passed more than `grace` ago.
    public var grace: Duration = .seconds(1)
    /// Calls fail with `.unavailable` once all connections have been down for this long.
    public var patience: Duration = .seconds(1)
    /// How long a statement may run before nothing more is sent behind it. Statements of its kind are then slow. They
    /// get the last connection only in the cases that `PoolState.lease` lists. No other kind is sent behind them. nil:
    /// statements are not timed. A pool with one connection never times statements; a pool with a `maxInFlight` of 1
    /// sends nothing behind a statement anyway.
    public var slowAfter: Duration?
    /// Says when segments with `CommitRule.mayBeShared` share a durable commit. Where statements are timed, the time of
    /// a durable commit counts as that of the statement before it.
    public var commitSharing: CommitSharing = .off
    /// Called in the caller's task with every segment that is started.
    public var observer: (@Sendable (SegmentStarted) -> Void)?

    public init(
        _ connection: ConnectionConfiguration, name: String = "read", connections: Int, maxInFlight: Int = 64
    ) {
        self.connection = connection
        self.name = name
        self.connections = connections
        self.maxInFlight = maxInFlight
    }
}

/// Says when a segment with `CommitRule.mayBeShared` waits for a durable commit that several segments share. Otherwise
/// it commits durably by itself.
public enum CommitSharing: Sendable {
    /// Never: each commits durably by itself.
    case off
    /// A segment shares if it had to wait for a connection.
    case whereTheyWait
    /// Always, which is meant for tests.
    case always
}

/// A segment as an observer sees it, for logs and tests.
public struct SegmentStarted: Sendable {
    public let pool: String
    /// The text of the settings statement.
    public let settings: String?
    /// How the segment may become durable. The pool appends to the settings accordingly.
    public let commit: CommitRule
    /// The statements with their values, which a log must not show.
    public let sql: [SQL]
    /// The texts of the statements, with `$1`, `$2` … where values are bound.
    public var statements: [String] { sql.map(\.text) }
}

/// The state of a pool and its counts, for metrics.
public struct PoolStatistics: Sendable, Equatable {
    public var connectionsUp = 0
    public var inFlight = 0
    public var waiting = 0
    /// The number of statements that callers have started since the pool was made, those of refused segments included.
    public var statements = 0
    /// The number of segments that the server answered with an error.
    public var errors = 0
    /// The number of segments that failed by their deadline.
    public var timeouts = 0
    /// The number of segments that failed with `.overloaded`, because too many waited.
    public var refused = 0
    public var connectionsLost = 0
    /// The durations of answered segments, each with its wait for a connection.
    public var durations = DurationCounts()
    /// The number of answers that were held for a durable commit that they shared.
    public var sharedCommits = 0
    /// The number of durable commits that were sent for held answers.
    public var durableCommits = 0
}
