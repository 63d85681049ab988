/// A transaction whose commit, once acknowledged, has made everything durable that was committed before the transaction
/// began, as `synchronous_commit` says: the WAL is one sequence, and the commit flushes it and waits for the
/// synchronous standbys.
///
/// The message is a transactional one, because a transaction without a number of its own is not flushed.
/// Source: PostgreSQL's xact.c, RecordTransactionCommit, and message.c, LogLogicalMessage
public struct DurableCommit: Statement {
    public init() {}

    public var sql: SQL { "select from pg_logical_emit_message(true, 'tertulia', '')" }

    public func decode(_ row: Row) {}
}

/// How the transaction of a segment becomes durable, before its answer leaves the pool. docs/decisions/0032 has the
/// reasons.
public enum CommitRule: Sendable {
    /// By PostgreSQL's rules: a transaction that wrote is flushed, and one that only read is not.
    case ordinary
    /// By a commit that is flushed even if the segment writes nothing, so that its answer tells of nothing that a crash
    /// could take back.
    case own
    /// As `own`, or by a durable commit that several segments share, where `PoolConfiguration.commitSharing` says so.
    case mayBeShared
}

/// How a segment is sent.
enum CommitMode: Equatable, Sendable {
    case ordinary
    case own
    /// With `synchronous_commit` off. The answer waits for a durable commit behind it.
    case shared

    /// The settings of a segment in this mode, so that the mode costs no statement of its own.
    /// - Parameter settings: a `select`, to whose list the mode's setting is appended.
    func settings(_ settings: SQL?) -> SQL? {
        switch (self, settings) {
        case (.ordinary, _): settings
        case (.own, let settings?): "\(settings), pg_logical_emit_message(true, 'tertulia', '')"
        case (.own, nil): DurableCommit().sql
        case (.shared, let settings?): "\(settings), set_config('synchronous_commit', 'off', true)"
        case (.shared, nil): "select set_config('synchronous_commit', 'off', true)"
        }
    }
}
