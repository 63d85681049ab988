import Postgres

/// The number after that of the newest transaction that has ended. Every row of the log that can be read has a lower
/// number. A running transaction may have this number or a higher one.
/// Source: PostgreSQL's manual, "Snapshot Components"
struct NextTransaction: Statement {
    var sql: SQL { "select pg_snapshot_xmax(pg_current_snapshot())" }

    func decode(_ row: Row) -> Int64 { row.int64(0) }
}

/// The position of the newest row that was dropped with its partition. Cursors before it have expired. The result is
/// empty if no partition with rows was dropped yet.
struct ChangeLogFloor: Statement {
    var sql: SQL { "select xid, id from change_log_floor" }

    func decode(_ row: Row) -> ChangePosition { ChangePosition(transaction: row.int64(0), row: row.int64(1)) }
}
