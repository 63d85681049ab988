import Postgres
import TestPostgres
import Testing

@Suite struct SQLTests {
    @Test func interpolationBinds() {
        let name = "x'; drop table users; --"
        let sql: SQL = "select \(unsafe: "id, name") from users where name = \(name) and id = any(\([1, 2]))"
        #expect(sql.text == "select id, name from users where name = $1 and id = any($2)")
    }

    @Test func fragmentsKeepTheirValues() async throws {
        func visible(_ viewer: String) -> SQL { "(\(viewer) = 'me' or \(1 as Int?) is null)" }
        let sql: SQL = "select \("first"), \(visible("me")), \("last")"
        #expect(sql.text == "select $1, ($2 = 'me' or $3 is null), $4")
        try await withPool { pool in
            let rows = try await pool.run(Query(sql) { ($0.string(0), $0.bool(1), $0.string(2)) })
            #expect(rows.count == 1 && rows[0] == ("first", true, "last"))
        }
    }

    @Test func boundValueCannotBreakOut() async throws {
        try await withPool { pool in
            _ = try await pool.run(Segment(["create table users (name text)"]))
            for text in ["'; drop table users; --", "\\'; drop table users; --", "$1", "'"] {
                _ = try await pool.run(Segment(["insert into users values (\(text))"]))
                let found = try await pool.run(
                    Query("select name from users where name = \(text)") { $0.string(0) })
                #expect(found == [text])
            }
            let count = try await pool.run(Query("select count(*) from users") { $0.int64(0) })
            #expect(count == [4])
        }
    }

    @Test func zeroByteIsRefused() async throws {
        try await withPool { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.run(Query("select \("a\0b")") { $0.string(0) })
            }
            #expect(error?.sqlstate == "22021")
        }
    }
}
