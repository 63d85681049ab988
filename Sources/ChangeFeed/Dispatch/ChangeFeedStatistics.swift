import Postgres

/// Figures about the tail and the subscriptions of a server, for metrics.
public struct ChangeFeedStatistics: Sendable {
    public let subscriptions: Int
    /// The number of topics that have subscribers.
    public let topics: Int
    /// The number of changes that were read from the log since the server started.
    public let rows: Int
    /// The seconds from the beginning of the newest row's transaction to the row's publication. While rows wait for an
    /// older transaction: the seconds since the oldest waiting row's transaction began, measured once a second.
    public let lag: Double
    /// The number of committed rows that wait for an older transaction to end, at most `ChangeBacklog.limit`.
    public let waiting: Int
    /// The number of changes given to subscriptions.
    public let events: Int
    /// The number of subscriptions that ended because their reader fell behind.
    public let overtaken: Int
    /// The number of times that the log was found to have another epoch than before.
    public let lostHistories: Int
}

/// The number of rows that the tail may not read yet, and the age of the oldest in seconds.
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
