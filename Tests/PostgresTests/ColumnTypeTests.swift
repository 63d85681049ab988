import TestPostgres
import Testing

@testable import Postgres

/// A column of another type than the program reads is an error, in release builds too.
@Suite struct ColumnTypeTests {
    private static func error(_ body: () async throws -> Void) async throws -> ColumnError {
        let error = try await #require(throws: PostgresError.self) { try await body() }
        guard case .column(let column) = error else { throw error }
        return column
    }

    /// Each accessor with a value of another type. Some of these values have as many bytes as the accessor reads.
    private static let reads: [(SQL, @Sendable (Row) -> Void, ColumnType, String)] = [
        ("select 1::int4 as value", { _ = $0.int16(0) }, .int2, "integer"),
        ("select 1::int8 as value", { _ = $0.int32(0) }, .int4, "bigint"),
        ("select 1::float4 as value", { _ = $0.int32(0) }, .int4, "real"),
        ("select 1::float8 as value", { _ = $0.int64(0) }, .int8, "double precision"),
        ("select 1::numeric as value", { _ = $0.int64(0) }, .int8, "numeric"),
        ("select 'x'::\"char\" as value", { _ = $0.bool(0) }, .bool, "the type with OID 18"),
        ("select 1::int8 as value", { _ = $0.double(0) }, .float8, "bigint"),
        ("select now()::timestamp as value", { _ = $0.timestamp(0) }, .timestamptz, "timestamp without time zone"),
        ("select '0123456789abcdef'::text as value", { _ = $0.uuid(0) }, .uuid, "text"),
        ("select 1::int4 as value", { _ = $0.text(0) }, .text, "integer"),
        ("select 1::numeric as value", { _ = $0.string(0) }, .text, "numeric"),
        ("select '{}'::jsonb as value", { _ = $0.text(0) }, .text, "jsonb"),
        ("select '{a}'::text[] as value", { _ = $0.text(0) }, .text, "text[]"),
        ("select 'x'::text as value", { _ = $0.bytes(0) }, .bytea, "text"),
        ("select array[1]::int4[] as value", { _ = $0.int64s(0) }, .int8Array, "the type with OID 1007"),
        ("select array['x'] as value", { _ = $0.uuids(0) }, .uuidArray, "text[]"),
        ("select array[1]::int8[] as value", { _ = $0.texts(0) }, .textArray, "bigint[]"),
    ]

    @Test func everyAccessorFindsAnotherType() async throws {
        try await withPool(connections: 1) { pool in
            for (sql, read, expected, found) in Self.reads {
                let error = try await Self.error { _ = try await pool.run(Query(sql, read)) }
                #expect(error.column == "value" && error.expected == expected)
                #expect("\(error)".hasSuffix("reads the column value as \(expected.name), but it is \(found)"))
            }
        }
    }

    /// The first row may have NULL, and a later one a value of the wrong type.
    @Test(
        arguments: [
            { _ = $0.int16(optional: 0) }, { _ = $0.int32(optional: 0) }, { _ = $0.int64(optional: 0) },
            { _ = $0.bool(optional: 0) }, { _ = $0.double(optional: 0) }, { _ = $0.timestamp(optional: 0) },
            { _ = $0.uuid(optional: 0) }, { _ = $0.text(optional: 0) }, { _ = $0.string(optional: 0) },
            { _ = $0.bytes(optional: 0) },
        ] as [@Sendable (Row) -> Void])
    func nullOfAnotherTypeIsFound(_ read: @escaping @Sendable (Row) -> Void) async throws {
        try await withPool(connections: 1) { pool in
            let error = try await Self.error { _ = try await pool.run(Query("select null::date as day", read)) }
            #expect(error.column == "day" && "\(error)".hasSuffix("but it is date"))
        }
    }

    @Test func typesOfOneFormAreAlike() async throws {
        try await withPool(connections: 1) { pool in
            _ = try await pool.run(Segment(["create domain short as varchar(9)", "create type mood as enum ('well')"]))
            let texts = try await pool.run(
                Query(
                    """
                    select 'a'::varchar(3), 'b'::char(1), 'c'::name, '{}'::json, 'd'::short, 'e'::"char", '<f/>'::xml
                    """
                ) { row in (0..<7).map { row.string($0) } })
            #expect(texts == [["a", "b", "c", "{}", "d", "e", "<f/>"]])
            // A type of the database's own can have any binary form.
            for sql in ["select row(1, 'a')", "select array['well'::mood]", "select 'well'::mood"] as [SQL] {
                _ = try await Self.error { _ = try await pool.run(Query(sql) { $0.string(0) }) }
            }
            #expect(try await pool.run(Query("select '7'::xid8, 8::int8") { [$0.int64(0), $0.int64(1)] }) == [[7, 8]])
        }
    }

    @Test func unexpectedNullAndMissingColumnAreFound() async throws {
        try await withPool(connections: 1) { pool in
            let reads: [@Sendable (Row) -> Void] = [
                { _ = $0.int32(0) }, { _ = $0.text(1) }, { _ = $0.uuid(2) }, { _ = $0.uuids(3) }, { _ = $0.bytes(4) },
            ]
            for (index, read) in reads.enumerated() {
                let error = try await Self.error {
                    _ = try await pool.run(
                        Query(
                            "select null::int4 c0, null::text c1, null::uuid c2, null::uuid[] c3, null::bytea c4", read)
                    )
                }
                #expect(error.column == "c\(index)" && error.found == nil && "\(error)".hasSuffix("but it is NULL"))
            }
            let error = try await Self.error { _ = try await pool.run(Query("select 1 a, 2 b") { $0.string(2) }) }
            #expect(error.column == "3" && "\(error)".hasSuffix("as text, but it is absent"))
        }
    }

    /// A column of another type is why the row cannot be decoded.
    @Test func theTypeComesBeforeTheErrorOfTheDecoding() async throws {
        struct Malformed: Error {}
        try await withPool(connections: 1) { pool in
            let error = try await Self.error {
                _ = try await pool.run(
                    Query("select 5::int8 as n") { row in
                        guard row.int32(0) == 5 else { throw Malformed() }
                        return 5
                    })
            }
            #expect(error.column == "n")
        }
    }

    /// Objects read columns after their decoding has ended.
    @Test func columnsThatAreReadLaterAreCheckedByTheDecoding() async throws {
        struct Object {
            static let types: [ColumnType] = [.int4, .text]
            let row: Row
            init(row: Row, first: Int) {
                row.expect(Self.types, from: first)
                self.row = row
            }
        }
        try await withPool(connections: 1) { pool in
            let columns: SQL = "select true, 1::int4 as likes, "
            let object = try await pool.run(Query("\(columns)'x'::text as name") { Object(row: $0, first: 1) })[0]
            #expect(object.row.int32(1) == 1 && object.row.string(2) == "x")
            let error = try await Self.error {
                _ = try await pool.run(Query("\(columns)now()::date as name") { Object(row: $0, first: 1) })
            }
            #expect(error.column == "name")
        }
    }

    /// Columns beyond those whose verdict is kept are compared each time.
    @Test func thereMayBeManyColumns() async throws {
        var sql: SQL = "select 0::int4"
        for _ in 1..<99 { sql = "\(sql), 0::int4" }
        let all = sql
        try await withPool(connections: 1) { pool in
            let sum = try await pool.run(Query(all) { row in (0..<99).reduce(Int32(0)) { $0 + row.int32($1) } })
            #expect(sum == [0])
            _ = try await pool.run(Query(all) { $0.expect(Array(repeating: .int4, count: 99)) })
            for column in [0, 62, 63, 64, 98] {
                _ = try await Self.error { _ = try await pool.run(Query(all) { $0.text(column) }) }
                _ = try await Self.error { _ = try await pool.run(Query(all) { $0.expect([.text], from: column) }) }
            }
        }
    }

    private struct Likes: Statement {
        var sql: SQL { "select likes from posts" }
        func decode(_ row: Row) -> Int32 { row.int32(0) }
    }

    /// The type changes while a connection has the statement prepared. The pool's faults name it until it is right again.
    @Test func aTypeThatChangesIsAnErrorUntilItIsRightAgain() async throws {
        let faults = ColumnFaults()
        let database = try await TestPostgres.shared.database().url
        try await withPool(connections: 2, on: database, { $0.columnFaults = faults }) { pool in
            let owner = try await DedicatedConnection.open(ConnectionConfiguration(database))
            try await owner.execute(script: "create table posts (likes int4, note text); insert into posts values (7)")
            #expect(try await pool.run(Likes()) == [7])

            // What the statement does not read may have any type.
            try await owner.execute(script: "alter table posts alter note type int4 using 0, add more int4")
            #expect(try await pool.run(Likes()) == [7])
            #expect(faults.first == nil)

            try await owner.execute(script: "alter table posts alter likes type int8")
            for _ in 0..<3 {
                let error = try await Self.error { _ = try await pool.run(Likes()) }
                #expect("\(error)" == "Likes reads the column likes as integer, but it is bigint")
            }
            #expect(faults.first?.statement == "Likes")
            #expect(try await faults.recheck(on: owner) == false && faults.first != nil)

            try await owner.execute(script: "alter table posts rename to gone")
            #expect(try await faults.recheck(on: owner) == false && faults.first != nil)

            try await owner.execute(script: "alter table gone rename to posts; alter table posts alter likes type int4")
            #expect(try await pool.run(Likes()) == [7])
            #expect(try await faults.recheck(on: owner) && faults.first == nil)
            await owner.close()
        }
    }

    /// A statement's columns are described without any request.
    @Test func aCheckFindsEachOtherType() async throws {
        let connection = try await DedicatedConnection.open(
            ConnectionConfiguration(try await TestPostgres.shared.database().url))
        try await connection.execute(script: "create table posts (likes int4)")
        let faults = ColumnFaults()
        try await faults.check(Likes(), [.int4], on: connection)
        #expect(faults.first == nil)
        try await faults.check(Likes(), [.int4, .text], on: connection)
        #expect(faults.first?.column == "2")
        // Of several faults each is forgotten by itself.
        try await faults.check(Likes(), [.uuid, .text, .bool], on: connection)
        try await connection.execute(script: "alter table posts alter likes type uuid using gen_random_uuid()")
        #expect(try await faults.recheck(on: connection))
        #expect(faults.first?.column == "2")
        await connection.close()
    }

    /// A value that is NULL once is no fault of the schema.
    @Test func nullIsNoFaultOfTheSchema() async throws {
        let faults = ColumnFaults()
        try await withPool(connections: 1, { $0.columnFaults = faults }) { pool in
            _ = try await Self.error { _ = try await pool.run(Query("select null::int4") { $0.int32(0) }) }
            #expect(faults.first == nil)
            _ = try await Self.error { _ = try await pool.run(Query("select 1::int8") { $0.int32(0) }) }
            #expect(faults.first != nil)
        }
    }

    @Test func segmentsAndLentAndDedicatedConnectionsFindIt() async throws {
        let faults = ColumnFaults()
        let database = try await TestPostgres.shared.database().url
        try await withPool(connections: 1, maxInFlight: 1, on: database, { $0.columnFaults = faults }) { pool in
            let rows = try await pool.run(
                Segment(settings: "select set_config('a.b', 'c', true)", ["select 1", "select 2::int8 as second"]))
            #expect(try rows[0].first { $0.int32(0) } == 1)
            var error = try await Self.error { _ = try rows[1].first { $0.int32(0) } }
            #expect(error.statement == "ColumnTypeTests" && error.column == "second")
            #expect(faults.first == error)
            error = try await Self.error { _ = try rows[1].decoded { $0.bool(0) } }

            error = try await Self.error {
                try await pool.withConnection { _ = try await $0.run(Query("select 3::int8 as third") { $0.int32(0) }) }
            }
            #expect(error.column == "third")
            error = try await Self.error {
                try await pool.withConnection { _ = try await $0.execute("select 4 as fourth").decoded { $0.bool(0) } }
            }
            #expect(error.column == "fourth")

            let connection = try await DedicatedConnection.open(ConnectionConfiguration(database))
            error = try await Self.error { _ = try await connection.one("select 5 as fifth") { $0.string(0) } }
            #expect(error.statement == "select 5 as fifth")
            await connection.close()
        }
    }
}
