import Postgres
import Testing

@Suite struct PostgresErrorTests {
    private static let table: SQL = """
        create table users (name text constraint users_name_key unique, age int constraint age_check check (age > 0))
        """

    @Test func constraintsAreMatchedByName() async throws {
        try await withPool(connections: 1) { pool in
            _ = try await pool.run(Segment([Self.table]))
            _ = try await pool.run(Segment(["insert into users values ('ada', 1)"]))
            do {
                _ = try await pool.run(Segment(["insert into users values ('ada', 2)"]))
                Issue.record("accepted")
            } catch PostgresError.constraint("age_check") {
                Issue.record("the wrong constraint")
            } catch PostgresError.constraint("users_name_key") {}
            let error = await #expect(throws: PostgresError.self) {
                _ = try await pool.run(Segment(["insert into users values ('bob', 0)"]))
            }
            #expect(error?.sqlstate == .checkViolation && error?.constraint == "age_check")
            #expect(error?.server?.table == "users")
            #expect(error?.server?.detail?.contains("bob") == true)
            #expect(error?.isRetryable == false)
        }
    }

    @Test func sqlstatesOfAProgramsOwn() async throws {
        try await withPool(connections: 1) { pool in
            let error = await #expect(throws: PostgresError.self) {
                _ = try await pool.run(
                    Segment(["do $$ begin raise exception 'no' using errcode = 'TT001', detail = 'why'; end $$"]))
            }
            #expect(error?.sqlstate == "TT001" && error?.sqlstate?.isInClass("TT") == true)
            #expect(error?.sqlstate?.description == "TT001" && error?.server?.detail == "why")
        }
    }

    @Test func serializationFailureIsRetryable() async throws {
        try await withPool(connections: 1) { pool in
            let error = await #expect(throws: PostgresError.self) {
                _ = try await pool.run(Segment(["do $$ begin raise exception '' using errcode = '40001'; end $$"]))
            }
            #expect(error?.isRetryable == true)
        }
    }
}
