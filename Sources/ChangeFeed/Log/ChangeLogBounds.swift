import Postgres

/// The number of the transaction that will begin next.
struct NextTransaction: Statement {
    var sql: SQL { "select pg_snapshot_xmax(pg_current_snapshot())" }

    func decode(_ row: Row) -> Int64 { row.int64(0) }
}

/// The position of the newest row that was dropped with its partition. Cursors before it have expired. No row where no
/// partition was dropped yet.
struct ChangeLogFloor: Statement {
    var sql: SQL { "select xid, id from change_log_floor" }

    func decode(_ row: Row) -> ChangePosition { ChangePosition(transaction: row.int64(0), row: row.int64(1)) }
}
