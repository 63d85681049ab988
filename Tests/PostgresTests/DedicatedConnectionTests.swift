import Postgres
import TestPostgres
import TestSupport
import Testing

@Suite struct DedicatedConnectionTests {
    private func connection() async throws -> DedicatedConnection {
        try await DedicatedConnection.open(ConnectionConfiguration(TestPostgres.shared.database().url))
    }

    @Test func copyOfBinaryRows() async throws {
        let connection = try await connection()
        try await connection.execute(script: "create table t (id uuid, number int, text text, data bytea)")
        try await connection.copyIn("copy t from stdin (format binary)") { writer in
            for number in 0..<5000 {
                try writer.beginRow(columns: 4)
                writer.write(column: UUID(high: 1, low: UInt64(number)))
                writer.write(column: Int32(number))
                writer.write(column: number % 2 == 0 ? "tab\tline\nslash\\" : nil as String?)
                writer.write(column: [UInt8](repeating: 7, count: number % 50))
            }
        }
        let rows = try await connection.execute(
            "select count(*), sum(number), count(text), sum(length(data)), min(text) from t")
        #expect(rows[0].int64(0) == 5000 && rows[0].int64(1) == 12_497_500 && rows[0].int64(2) == 2500)
        #expect(rows[0].int64(3) == 122_500 && rows[0].string(4) == "tab\tline\nslash\\")
        await connection.close()
    }

    @Test func copyOfText() async throws {
        let connection = try await connection()
        try await connection.execute(script: "create table t (id int, text text)")
        try await connection.copyIn("copy t from stdin") { try $0.write("1\tone\n2\t\\N\n") }
        let rows = try await connection.execute("select id, text from t order by id")
        #expect(rows.map { $0.string(optional: 1) } == ["one", nil])
        await connection.close()
    }

    @Test func failedCopyLeavesNothingAndTheConnectionUsable() async throws {
        struct Stop: Error {}
        let connection = try await connection()
        try await connection.execute(script: "create table t (id int primary key)")
        await #expect(throws: PostgresError.self) {
            try await connection.copyIn("copy t from stdin") { try $0.write("1\n1\n") }
        }
        await #expect(throws: Stop.self) {
            try await connection.copyIn("copy t from stdin") {
                try $0.write("1\n")
                throw Stop()
            }
        }
        let rows = try await connection.execute("select count(*) from t")
        #expect(rows[0].int64(0) == 0)
        await connection.close()
    }

    @Test func startupOptionsHold() async throws {
        var configuration = ConnectionConfiguration(try await TestPostgres.shared.database().url, role: "pg_monitor")
        configuration.parameters = [("app.note", "two words \\ slash")]
        configuration.lockTimeout = .milliseconds(1500)
        let connection = try await DedicatedConnection.open(configuration)
        let rows = try await connection.execute(
            "select current_user::text, current_setting('app.note'), current_setting('lock_timeout')")
        #expect(rows[0].string(0) == "pg_monitor" && rows[0].string(1) == "two words \\ slash")
        #expect(rows[0].string(2) == "1500ms")
        try await connection.execute(script: "reset role")
        let after = try await connection.execute("select current_user::text")
        #expect(after[0].string(0) == "pg_monitor")
        await connection.close()
    }

    @Test func closedConnectionIsGone() async throws {
        let url = try await TestPostgres.shared.database().url
        let other = try await DedicatedConnection.open(ConnectionConfiguration(url))
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(url))
        await connection.close()
        try await eventually("the server has ended the session") {
            let others: SQL = """
                select count(*) from pg_stat_activity
                where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
                """
            return try await other.execute(others)[0].int64(0) == 0
        }
        await #expect(throws: PostgresError.self) { try await connection.execute(script: "select 1") }
        await other.close()
    }

    @Test func unreachableServer() async throws {
        let error = await #expect(throws: PostgresError.self) {
            _ = try await DedicatedConnection.open(ConnectionConfiguration("host=/nonexistent"))
        }
        if case .unavailable? = error {} else { Issue.record("\(String(describing: error))") }
    }
}
