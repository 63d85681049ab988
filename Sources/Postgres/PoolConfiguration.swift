public struct PoolConfiguration: Sendable {
    public var connection: ConnectionConfiguration
    /// For logs and statistics.
    public var name: String
    public var connections: Int
    /// Segments in flight on each connection; the rest wait in order.
    public var maxInFlight: Int
    /// Segments that may wait for a connection; one more fails with `.unavailable`.
    public var maxQueue = 4096
    /// From `start` to the answer.
    public var deadline: Duration = .seconds(3)
    /// A connection that owes an answer is closed when it has been silent for a deadline and this long.
    public var grace: Duration = .seconds(1)
    /// How long a call waits for a connection while there is none at all.
    public var patience: Duration = .seconds(1)
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

public struct PoolStatistics: Sendable, Equatable {
    public var connectionsUp = 0
    public var inFlight = 0
    public var waiting = 0
    /// Since the pool was made: statements started, segments that failed by the server's word,
    /// by their deadline, and with their connection.
    public var statements = 0
    public var errors = 0
    public var timeouts = 0
    public var connectionsLost = 0
}
