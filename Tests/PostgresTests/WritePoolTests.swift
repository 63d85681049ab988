import Postgres
import TestPostgres
import TestSupport
import Testing

@Suite(.serialized) struct WritePoolTests {
    private struct Take: Statement {
        var sql: SQL { "select nextval('turn') from pg_sleep(0.005)" }
        func decode(_ row: Row) -> Int64 { row.int64(0) }
    }

    @Test func waitersAreServedInOrder() async throws {
        try await withPool(connections: 1, maxInFlight: 1) { pool in
            _ = try await pool.run(Segment(["create sequence turn"]))
            let pending = (0..<30).map { _ in pool.start(Take()) }
            #expect(pool.statistics.inFlight <= 1)
            var turns: [Int64] = []
            for pending in pending { turns += try await pending.value }
            #expect(turns == Array(1...30))
        }
    }

    @Test func eachConnectionHasOneInFlight() async throws {
        let url = try await TestPostgres.shared.database().url
        let gate = try await Gate(on: url)
        try await withPool(connections: 3, maxInFlight: 1, on: url) { pool in
            try await eventually("all connections are up") { pool.statistics.connectionsUp == 3 }
            let pending = (0..<30).map { _ in pool.start(Gate.wait) }
            #expect(pool.statistics.inFlight == 3 && pool.statistics.waiting == 27)
            await gate.open()
            for pending in pending {
                _ = try await pending.value
                #expect(pool.statistics.inFlight <= 3)
            }
        }
    }

    @Test func waiterPastItsDeadlineIsNeverSent() async throws {
        let url = try await TestPostgres.shared.database().url
        let gate = try await Gate(on: url)
        try await withPool(connections: 1, maxInFlight: 1, on: url) { pool in
            _ = try await pool.run(Segment(["create table t (id int)"]))
            let first = pool.start(Gate.wait)
            let second = pool.start(Segment(["insert into t values (1)"]), deadline: .milliseconds(50))
            await #expect(throws: PostgresError.self) { _ = try await second.value }
            await gate.open()
            _ = try await first.value
            #expect(try await pool.run(Query("select count(*) from t") { $0.int64(0) }) == [0])
        }
    }

    @Test func fullQueueRefuses() async throws {
        let url = try await TestPostgres.shared.database().url
        let gate = try await Gate(on: url)
        try await withPool(connections: 1, maxInFlight: 1, on: url) {
            $0.maxQueue = 2
        } _: { pool in
            _ = try await pool.run(Query("select 1") { $0.int32(0) })
            let pending = (0..<5).map { _ in pool.start(Gate.wait) }
            await gate.open()
            var refused = 0
            for pending in pending {
                do { _ = try await pending.value } catch PostgresError.overloaded { refused += 1 }
            }
            #expect(refused == 2)
        }
    }
}
