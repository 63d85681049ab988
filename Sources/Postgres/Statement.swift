/// How long a statement that reads may take, by which its caller chooses a pool. Writes are segments, handed to their
/// pool by name.
public enum Lane: Sendable {
    /// Short reads, which share connections.
    case read
    /// Search, analytics and large values: no other statement waits behind these.
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

/// Several statements that run as one implicit transaction, preceded by settings that hold for it alone.
///
/// PostgreSQL's manual, "Pipelining": the statements between two Syncs commit or fail as a whole.
public struct Segment: Sendable {
    /// For example `select set_config('app.viewer_id', $1, true)`; its result is discarded.
    public var settings: SQL?
    public var statements: [SQL]

    public init(settings: SQL? = nil, _ statements: [SQL] = []) {
        self.settings = settings
        self.statements = statements
    }

    public mutating func append(_ statement: some Statement) { statements.append(statement.sql) }
    public mutating func append(_ sql: SQL) { statements.append(sql) }
}
