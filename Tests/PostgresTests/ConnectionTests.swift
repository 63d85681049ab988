import Postgres
import TestSupport
import Testing

@Suite struct ConnectionTests {
    private struct Count: Statement {
        var sql: SQL { "select count(*) from t" }
        func decode(_ row: Row) -> Int64 { row.int64(0) }
    }
    private struct Refusal: Error {}

    @Test func transactionCommitsAndRollsBack() async throws {
        try await withPool(connections: 1, maxInFlight: 1) { pool in
            _ = try await pool.run(Segment(["create table t (id int primary key)"]))
            try await pool.withConnection { connection in
                try await connection.transaction { connection in
                    try await connection.execute("insert into t values (1)")
                    #expect(try await connection.run(Count()) == [1])
                    try await connection.execute("insert into t values (2)")
                }
            }
            #expect(try await pool.run(Count()) == [2])
            await #expect(throws: Refusal.self) {
                try await pool.withConnection { connection in
                    try await connection.transaction { connection in
                        try await connection.execute("insert into t values (3)")
                        throw Refusal()
                    }
                }
            }
            #expect(try await pool.run(Count()) == [2])
        }
    }

    @Test func cancelledTransactionRollsBack() async throws {
        try await withPool(connections: 1, maxInFlight: 1) { pool in
            _ = try await pool.run(Segment(["create table t (id int primary key)"]))
            let (inserts, continuation) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                defer { continuation.finish() }
                try await pool.withConnection { connection in
                    try await connection.transaction { connection in
                        try await connection.execute("insert into t values (1)")
                        continuation.yield()
                        // Until it is cancelled.
                        try await Task.sleep(for: .seconds(86_400))
                    }
                }
            }
            for await _ in inserts { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await pool.run(Count()) == [0])
            #expect(pool.statistics.connectionsLost == 0)
        }
    }

    @Test func othersWaitForTheirTurn() async throws {
        try await withPool(connections: 1, maxInFlight: 1) { pool in
            _ = try await pool.run(Segment(["create table t (id int primary key)"]))
            let counted = try await pool.withConnection { connection in
                try await connection.execute("begin")
                try await connection.execute("insert into t values (1)")
                let other = pool.start(Count())
                try await eventually("the other waits") { pool.statistics.waiting == 1 }
                try await connection.execute("insert into t values (2)")
                try await connection.execute("commit")
                return other
            }
            #expect(try await counted.value == [2])
        }
    }

    @Test func openTransactionIsNotHandedOn() async throws {
        try await withPool(connections: 1, maxInFlight: 1) { pool in
            _ = try await pool.run(Segment(["create table t (id int primary key)"]))
            try await pool.withConnection { connection in
                try await connection.execute("begin")
                try await connection.execute("insert into t values (1)")
            }
            #expect(try await pool.run(Count()) == [0])
            #expect(try await pool.run(Query("select 1") { $0.int32(0) }) == [1])
        }
    }

    @Test func lostConnectionDoesNotGoOnInAnotherSession() async throws {
        try await withPool(connections: 1, maxInFlight: 1) { pool in
            _ = try await pool.run(Segment(["create table t (id int primary key)"]))
            await #expect(throws: PostgresError.self) {
                try await pool.withConnection { connection in
                    try await connection.execute("begin")
                    _ = try? await connection.execute("select pg_terminate_backend(pg_backend_pid())")
                    try await eventually("the pool has reconnected") { pool.statistics.connectionsUp == 1 }
                    try await connection.execute("insert into t values (1)")
                }
            }
            #expect(try await pool.run(Count()) == [0])
        }
    }
}
