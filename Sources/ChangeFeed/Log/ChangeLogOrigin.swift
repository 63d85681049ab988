import Postgres

/// The origin of the change log: this database, or another one whose backup was restored here.
public enum ChangeLogOrigin {
    public static func isForeign(_ connection: DedicatedConnection) async throws -> Bool {
        try await run("select change_log_is_foreign()", as: "tertulia_worker", on: connection).first { $0.bool(0) }
            ?? false
    }

    /// Begins a new epoch of the log if another database wrote it.
    /// - Parameter connection: a connection of the role that migrates.
    /// - Returns: whether the log was another database's.
    @discardableResult
    public static func adopt(_ connection: DedicatedConnection) async throws -> Bool {
        let adopted = try await run("select adopt_change_log()", as: "tertulia_owner", on: connection)
        let isForeign = try adopted.first { $0.bool(0) } ?? false
        if isForeign {
            let renew: SQL = "select begin_change_log_epoch(epoch) from change_log_history()"
            _ = try await run(renew, as: "tertulia_worker", on: connection)
        }
        return isForeign
    }

    /// The current epoch, in the form that operators read.
    public struct Epoch: Sendable {
        /// When the epoch began: RFC 3339, in UTC.
        public let begunAt: String
        /// The timeline on which the epoch began.
        public let timeline: Int
        /// The current timeline; nil on a standby.
        public let presentTimeline: Int?
    }

    /// - Returns: nil if the log has no epoch.
    public static func epoch(_ connection: DedicatedConnection) async throws -> Epoch? {
        let select: SQL = """
            select to_char(begun_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), timeline, current_timeline()
            from change_log_epoch
            """
        return try await run(select, as: "tertulia_worker", on: connection).first { row in
            Epoch(
                begunAt: row.string(0), timeline: Int(row.int32(1)),
                presentTimeline: row.int32(optional: 2).map(Int.init))
        }
    }

    private static func run(
        _ sql: SQL, as role: StaticString, on connection: DedicatedConnection
    ) async throws -> Rows {
        try await connection.transaction { connection in
            try await connection.execute(script: "set local role \(role)")
            return try await connection.execute(sql)
        }
    }
}
