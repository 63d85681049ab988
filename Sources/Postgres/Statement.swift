/// The kind of pool on which a reading statement runs; its caller chooses the pool. Writing statements run as segments
/// on a pool that the caller names.
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
    /// Names the segment in traces and errors.
    public var source: SegmentSource

    public init(settings: SQL? = nil, _ statements: [SQL] = [], file: StaticString = #fileID) {
        self.settings = settings
        self.statements = statements
        source = .file(file)
    }

    public mutating func append(_ statement: some Statement) { statements.append(statement.sql) }
    public mutating func append(_ sql: SQL) { statements.append(sql) }
}
