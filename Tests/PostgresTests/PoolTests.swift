import Postgres
import Testing

@Suite struct PoolTests {
    @Test func resultsReachTheirCallers() async throws {
        try await withPool { pool in
            let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<1000 {
                    group.addTask {
                        try await pool.run(Query("select \(number), \(String(number))") { ($0.int64(0), $0.string(1)) })
                            .allSatisfy { $0.0 == Int64(number) && $0.1 == String(number) }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 1000 && answers.allSatisfy { $0 })
        }
    }

    @Test func oneConnectionAnswersInOrder() async throws {
        try await withPool(connections: 1) { pool in
            let pending = (0..<50).map { number in pool.start(Query("select \(number)") { $0.int64(0) }) }
            for (number, pending) in pending.enumerated() {
                let rows = try await pending.value
                #expect(rows == [Int64(number)])
            }
        }
    }

    @Test func segmentIsOneTransaction() async throws {
        try await withPool(connections: 1) { pool in
            _ = try await pool.run(Segment(["create table t (id int primary key)"]))
            let rows = try await pool.run(
                Segment(["insert into t values (1), (2)", "select count(*) from t", "delete from t where id = 2"]))
            #expect(rows.map(\.affected) == [2, 1, 1])
            #expect(rows[1].first?.int64(0) == 2)
            do {
                _ = try await pool.run(Segment(["insert into t values (3)", "insert into t values (1)"]))
                Issue.record("a duplicate was accepted")
            } catch PostgresError.constraint("t_pkey") {}
            let left = try await pool.run(Query("select count(*) from t") { $0.int64(0) })
            #expect(left == [1])
        }
    }

    @Test func errorNamesItsStatement() async throws {
        try await withPool(connections: 1) { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.run(Segment(settings: "select 1", ["select 1", "select 1 / 0"]))
            }
            #expect(error?.server?.statement == 1)
            #expect(error?.sqlstate == "22012")
        }
    }
}
