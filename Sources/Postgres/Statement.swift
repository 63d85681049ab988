/// The kind of pool that a reading statement asks for. A caller with several pools chooses by the lane; a `Pool` itself
/// ignores it. For a writing statement the caller names the pool.
public enum Lane: Sendable {
    /// Short reads, which share connections.
    case read
    /// Slow reads, such as search, analytics and large values. Their connections are separate, so that short reads do
    /// not wait behind them.
    case slow
}

/// An SQL statement with its values, and the decoding of its rows.
public protocol Statement: Sendable {
    associatedtype Output: Sendable
    var sql: SQL { get }
    func decode(_ row: Row) throws -> Output
    static var lane: Lane { get }
}

extension Statement {
    @inlinable
    public static var lane: Lane { .read }
}

/// Several statements that run as one implicit transaction, preceded by settings for this transaction only.
///
/// PostgreSQL's manual, "Pipelining": the statements between two Syncs commit or fail as a whole.
public struct Segment: Sendable {
    /// A statement such as `select set_config('app.viewer_id', $1, true)`, whose result is discarded.
    public var settings: SQL?
    public var statements: [SQL]
    /// How the segment's transaction becomes durable. With another rule than `ordinary`, `settings` must be nil or a
    /// `select`, to whose list the pool appends.
    public var commit = CommitRule.ordinary
    /// Names the segment in a trace, and tells its kind for `PoolConfiguration.slowAfter`.
    public var source: SegmentSource

    public init(settings: SQL? = nil, _ statements: [SQL] = [], file: StaticString = #fileID) {
        self.settings = settings
        self.statements = statements
        source = .file(file)
    }

    public mutating func append(_ statement: some Statement) { statements.append(statement.sql) }
    public mutating func append(_ sql: SQL) { statements.append(sql) }
}
