import Postgres

/// Makes rows of the log durable. An earlier statement of the same segment has read them, and they lie after
/// `position`. Some writes commit without a flush, and share a later durable commit with others (docs/decisions/0032).
/// Until then their rows can be read, and a crash could still take them back.
///
/// The commit of the segment is flushed, and acknowledged by the synchronous standbys, before its rows leave the pool.
/// If the WAL is flushed already and there are no such standbys, the rows are durable, and nothing is written. Nothing
/// is written either if no row is new, so that a server at rest does not write at each of its reads.
struct MakeChangesDurable {
    let position: ChangePosition

    /// The WAL on a standby was flushed by the primary before it was sent.
    var sql: SQL {
        """
        select case when pg_is_in_recovery() then null \
        when pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn() \
        and current_setting('synchronous_standby_names') = '' then null \
        when exists (select from change_log \
        where (xid, id) > (\(String(position.transaction))::xid8, \(position.row))) \
        then pg_logical_emit_message(true, 'tertulia', '') end
        """
    }
}

extension Pool {
    /// Reads rows of the log, and makes the rows after `position` durable. The caller has had all rows up to
    /// `position`.
    func read<S: Statement>(_ statement: S, durableAfter position: ChangePosition) async throws -> [S.Output] {
        var segment = Segment([statement.sql, MakeChangesDurable(position: position).sql])
        segment.source = .type(S.self)
        return try await run(segment)[0].decoded(by: statement)
    }
}
