import Postgres

/// Whether the change log was written by this database, or came with a backup of another.
public enum ChangeLogOrigin {
    public static func isForeign(_ connection: DedicatedConnection) async throws -> Bool {
        try await run("select change_log_is_foreign()", as: "tertulia_worker", on: connection)
    }

    /// Begins the log anew where it is another's.
    /// - Parameter connection: of whoever migrates.
    /// - Returns: whether it was.
    @discardableResult
    public static func adopt(_ connection: DedicatedConnection) async throws -> Bool {
        try await run("select adopt_change_log()", as: "tertulia_owner", on: connection)
    }

    private static func run(
        _ sql: SQL, as role: StaticString, on connection: DedicatedConnection
    ) async throws -> Bool {
        try await connection.execute(script: "begin; set local role \(role)")
        let result = try await connection.execute(sql)[0].bool(0)
        try await connection.execute("commit")
        return result
    }
}
