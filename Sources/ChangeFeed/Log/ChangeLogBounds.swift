import Postgres

/// The transaction that will begin next.
struct NextTransaction: Statement {
    var sql: SQL { "select pg_snapshot_xmax(pg_current_snapshot())" }

    func decode(_ row: Row) -> Int64 { row.int64(0) }
}

/// The newest row that was dropped with its partition; nothing before it can be resumed from.
struct ChangeLogFloor: Statement {
    var sql: SQL { "select xid, id from change_log_floor" }

    func decode(_ row: Row) -> ChangePosition { ChangePosition(transaction: row.int64(0), row: row.int64(1)) }
}
