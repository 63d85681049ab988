import Postgres
import Testing

@Suite struct RetryTests {
    /// A function that fails with a SQLSTATE as often as `times` says; a sequence counts, since no rollback undoes it.
    private static func failing(_ times: Int32, _ pool: Pool, sqlstate: String) async throws {
        _ = try await pool.run(Segment(["create sequence tries"]))
        _ = try await pool.run(
            Segment([
                """
                create function try(times int, code text) returns int language plpgsql as $$
                begin
                    if nextval('tries') <= times then
                        raise exception 'not yet' using errcode = code;
                    end if;
                    return 7;
                end $$
                """
            ]))
        let rows = try await pool.retrying(Segment(["select try(\(times), \(sqlstate))"]))
        #expect(rows[0][0].int32(0) == 7)
    }

    private static func tries(_ pool: Pool) async throws -> Int64 {
        try await pool.run(Query("select last_value from tries") { $0.int64(0) })[0]
    }

    @Test(arguments: ["40001", "40P01"]) func goesOnAfterThreeFailures(_ sqlstate: String) async throws {
        try await withPool(connections: 1) { pool in
            try await Self.failing(3, pool, sqlstate: sqlstate)
            let tries = try await Self.tries(pool)
            #expect(tries == 4)
        }
    }

    @Test func givesUpAfterFour() async throws {
        try await withPool(connections: 1) { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await Self.failing(4, pool, sqlstate: "40001")
            }
            #expect(error?.sqlstate == .serializationFailure)
            let tries = try await Self.tries(pool)
            #expect(tries == 4)
        }
    }

    @Test func otherErrorsAreNotTriedAgain() async throws {
        try await withPool(connections: 1) { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await Self.failing(1, pool, sqlstate: "23514")
            }
            #expect(error?.sqlstate == .checkViolation)
            let tries = try await Self.tries(pool)
            #expect(tries == 1)
        }
    }
}
