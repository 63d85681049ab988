/// The settings of a `Pool`.
public struct PoolConfiguration: Sendable {
    public var connection: ConnectionConfiguration
    /// The pool's name in logs and statistics.
    public var name: String
    /// The number of connections that the pool keeps open.
    public var connections: Int
    /// The greatest number of segments in flight on each connection; further segments wait in order.
    public var maxInFlight: Int
    /// The greatest number of segments that wait for a connection; one more fails with `.overloaded`.
    public var maxQueue = 4096
    /// The time from `start` to the answer, where the call gives no other.
    public var deadline: Duration = .seconds(3)
    /// A connection with an answer due is closed when the server has sent nothing for `deadline` and this time.
    public var grace: Duration = .seconds(1)
    /// When no connection has been up for this long, calls fail with `.unavailable`.
    public var patience: Duration = .seconds(1)
    /// How long a statement may run before nothing more is sent behind it. Statements of its kind then have all connections
    /// but one, and others are not sent behind them. nil, also for a pool with a `maxInFlight` of 1 or with one connection:
    /// statements are not timed.
    public var slowAfter: Duration?
    /// Keeps the columns of another type that the pool's statements read; nil if nobody asks for them.
    public var columnFaults: ColumnFaults?
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

/// A segment as an observer sees it, for logs and tests.
public struct SegmentStarted: Sendable {
    public let pool: String
    /// The text of the settings statement.
    public let settings: String?
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
    /// The number of statements started since the pool was made.
    public var statements = 0
    /// The number of segments that the server refused.
    public var errors = 0
    /// The number of segments that failed by their deadline.
    public var timeouts = 0
    /// The number of segments that failed with `.overloaded`, because too many waited.
    public var refused = 0
    public var connectionsLost = 0
}
