import Postgres
import Testing

@Suite struct PreparedStatementTests {
    private struct Prepared: Statement {
        var sql: SQL { "select name, statement from pg_prepared_statements order by prepare_time, name" }
        func decode(_ row: Row) -> String { row.string(1) }
    }
    private struct Add: Statement {
        let left: Int
        var sql: SQL { "select \(left) + 1" }
        func decode(_ row: Row) -> Int64 { row.int64(0) }
    }

    @Test func areReused() async throws {
        try await withPool(connections: 1) { pool in
            for left in 0..<10 {
                let sum = try await pool.run(Add(left: left))
                #expect(sum == [Int64(left + 1)])
            }
            let prepared = try await pool.run(Prepared())
            #expect(prepared.filter { $0 == "select $1 + 1" }.count == 1)
        }
    }

    @Test func arePreparedAfreshAfterReconnect() async throws {
        try await withPool(connections: 1) { pool in
            #expect(try await pool.run(Add(left: 1)) == [2])
            _ = try? await pool.run(Query("select pg_terminate_backend(pg_backend_pid())") { $0.bool(0) })
            let sum = try await pool.run(Add(left: 1))
            #expect(sum == [2])
        }
    }

    @Test func failedPreparationIsNotTakenAsPrepared() async throws {
        struct Later: Statement {
            var sql: SQL { "select id from later" }
            func decode(_ row: Row) -> Int32 { row.int32(0) }
        }
        try await withPool(connections: 1) { pool in
            // Three in the pipeline: the second and third believe that the first has prepared it.
            let failing = (0..<3).map { _ in pool.start(Later()) }
            for pending in failing {
                let error = await #expect(throws: PostgresError.self) { _ = try await pending.value }
                #expect(error?.sqlstate == "42P01")
            }
            _ = try await pool.run(Segment(["create table later (id int)"]))
            _ = try await pool.run(Segment(["insert into later values (1)"]))
            #expect(try await pool.run(Later()) == [1])
        }
    }

    @Test func changedResultTypeIsPreparedAfresh() async throws {
        struct All: Statement {
            var sql: SQL { "select * from changing" }
            func decode(_ row: Row) -> String { row.string(0) }
        }
        try await withPool(connections: 1) { pool in
            _ = try await pool.run(Segment(["create table changing (a text)"]))
            _ = try await pool.run(Segment(["insert into changing values ('x')"]))
            #expect(try await pool.run(All()) == ["x"])
            _ = try await pool.run(Segment(["alter table changing add column b int"]))
            #expect(try await pool.run(All()) == ["x"])
        }
    }

    @Test func statementsAfterAnErrorStayPrepared() async throws {
        try await withPool(connections: 1) { pool in
            _ = try? await pool.run(Segment(["select 1 / 0", Add(left: 1).sql]))
            let sum = try await pool.run(Add(left: 4))
            #expect(sum == [5])
        }
    }

    @Test func numberIsBounded() async throws {
        // Fragments of different order and number make different statements.
        func series(_ number: Int) -> SQL {
            var sql: SQL = "select 0"
            for bit in 0..<10 {
                let next: SQL = number >> bit & 1 == 1 ? "\(sql) + \(1)" : "\(sql) + 0"
                sql = next
            }
            return sql
        }
        try await withPool(connections: 1) { pool in
            for number in 0..<700 {
                _ = try await pool.run(Segment([series(number)]))
            }
            let count = try await pool.run(Prepared()).count
            #expect(count <= 512 && count > 400)
        }
    }
}
