import Postgres

/// What the tail of the change log has done, for metrics.
public struct ChangeFigures: Sendable {
    public let subscriptions: Int
    /// Lists, objects and accounts that somebody has subscribed to.
    public let topics: Int
    /// Of the log, since the server began.
    public let rows: Int
    /// Seconds from the beginning of the newest row's transaction to its delivery; of the oldest that waits, while one
    /// does.
    public let lag: Double
    /// Rows that are committed and wait for an older transaction to end, at most `ChangeBacklog.limit`.
    public let waiting: Int
    /// Changes given to subscriptions.
    public let events: Int
    /// Subscriptions that ended since their reader fell behind.
    public let overtaken: Int
    /// How often the log was found to be of another history than before.
    public let lostHistories: Int
}

/// Rows that the tail may not read yet.
struct ChangeBacklog: Statement {
    static let limit = 1_000

    var sql: SQL {
        """
        select count(*), coalesce(extract(epoch from now() - min(at)), 0)::float8 from (select at from change_log \
        where xid >= pg_snapshot_xmin(pg_current_snapshot()) order by xid, id limit \(Int64(Self.limit))) c
        """
    }

    func decode(_ row: Row) -> (rows: Int, seconds: Double) { (Int(row.int64(0)), row.double(1)) }
}
