import Migrations
import Postgres
import TestPostgres
import Testing

@testable import App

/// From every state that a database was ever in to the newest.
@Suite struct UpgradeTests {
    private static let all = MigrationSources.all.map {
        Migration(version: $0.version, name: $0.name, sql: String(decoding: $0.bytes, as: UTF8.self))
    }

    @Test func everyStateLeadsToTheSameSchema() async throws {
        let fresh = try await Self.database { try await Migrator(Self.all, connection: $0).migrate() }
        let expected = try await Self.catalog(fresh)
        #expect(expected.count > 500)
        for count in 1..<Self.all.count {
            let upgraded = try await Self.database { connection in
                try await Migrator(Array(Self.all.prefix(count)), connection: connection).migrate()
                let applied = try await Migrator(Self.all, connection: connection).migrate()
                #expect(applied.count == Self.all.count - count)
            }
            let found = try await Self.catalog(upgraded)
            #expect(found == expected, "upgraded from \(Self.all[count - 1].name)")
            await upgraded.close()
        }
        await fresh.close()
    }

    /// What the first release could hold is there after it, with exact counters and in every order.
    @Test func whatTheFirstReleaseHeldIsKept() async throws {
        let connection = try await Self.database { connection in
            try await Migrator(Self.all.filter { $0.version <= 7 }, connection: connection).migrate()
            try await connection.execute(script: Self.firstRelease)
            try await Migrator(Self.all, connection: connection).migrate()
        }
        #expect(try await connection.run(CounterDrift()) == [])
        let thoughts = try await connection.run(
            CatalogLines(sql: "select text || like_count || comment_count from thoughts order by id"))
        #expect(thoughts == ["Published.11", "A draft.00"])
        let ranked = try await connection.run(
            CatalogLines(sql: "select kind || ':' || rank from thought_ranks order by kind"))
        #expect(ranked == ["BEST_RATED:3000", "MOST_DISCUSSED:1", "MOST_LIKED:1"])
        let events = try await connection.run(CatalogLines(sql: "select name || going_count from events"))
        #expect(events == ["Soup1"])
        await connection.close()
    }

    /// A copy of the database in the same cluster is another: its log begins anew, once.
    @Test func aCopyBeginsItsLogAnew() async throws {
        let world = try await World.make()
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        #expect(try await connection.run(CatalogLines(sql: "select count(*)::text from change_log")) != ["0"])
        let ranks = try await connection.run(CatalogLines(sql: Self.ranks))
        #expect(!ranks.isEmpty)
        #expect(try await ChangeLogOrigin.isForeign(connection))
        #expect(try await ChangeLogOrigin.adopt(connection))
        #expect(try await connection.run(CatalogLines(sql: "select count(*)::text from change_log")) == ["0"])
        #expect(try await connection.run(CatalogLines(sql: Self.ranks)) == ranks)
        #expect(try await !ChangeLogOrigin.isForeign(connection))
        #expect(try await !ChangeLogOrigin.adopt(connection))
        await connection.close()
        await world.shutdown()
    }

    /// Nobody is told twice, nor not at all, where the log becomes what tells of comments, or begins anew.
    @Test func everyCommentIsNotedOnce() async throws {
        let world = try await World.make()
        let upgraded = try await Self.database { connection in
            try await Migrator(Self.all.filter { $0.version < 28 }, connection: connection).migrate()
            try await connection.execute(script: Self.firstRelease)
            try await Migrator(Self.all, connection: connection).migrate()
        }
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await connection.execute(script: "delete from notifications; delete from comments")
        for (database, subjects) in [(upgraded, 1), (connection, 0)] {
            let comment = """
                insert into comments (id, author_id, thought_id, text)
                select gen_random_uuid(), '019b7600-0000-7000-8000-00000000000b', id, 'So.' from thoughts
                where id = '019b7600-0000-7000-8000-000000000201'
                """
            let noted: SQL = "select (select count(*) from news where kind = 'COMMENT')::text"
            let note = "select note_comments('18446744073709551615', 1000)"
            try await database.execute(script: note)
            #expect(try await database.run(CatalogLines(sql: noted)) == ["\(subjects)"])
            try await database.execute(script: comment)
            try await database.execute(script: "update change_log_origin set system = 0")
            #expect(try await ChangeLogOrigin.adopt(database))
            try await database.execute(script: comment)
            try await database.execute(script: note)
            #expect(try await database.run(CatalogLines(sql: noted)) == ["\(subjects + 2)"])
        }
        await upgraded.close()
        await connection.close()
        await world.shutdown()
    }

    private static let ranks: SQL =
        "select thought_id || kind || rank from thought_ranks order by thought_id, kind"

    private static let firstRelease = """
        insert into users (id, username, display_name) values
          ('019b7600-0000-7000-8000-00000000000a', 'ana', 'Ana'), ('019b7600-0000-7000-8000-00000000000b', 'ben', 'Ben');
        insert into thoughts (id, author_id, category, text, status, published_at) values
          ('019b7600-0000-7000-8000-000000000201', '019b7600-0000-7000-8000-00000000000a', 'FUNNY', 'Published.',
            'PUBLISHED', now()),
          ('019b7600-0000-7000-8000-000000000202', '019b7600-0000-7000-8000-00000000000a', 'FUNNY', 'A draft.', 'DRAFT',
            null);
        insert into events (id, author_id, name, description, starts_at, ends_at) values
          ('019b7600-0000-7000-8000-000000000301', '019b7600-0000-7000-8000-00000000000b', 'Soup', 'Bring a bowl.',
            '2099-05-01 18:00:00Z', '2099-05-01 20:00:00Z');
        insert into thought_likes (thought_id, user_id) values
          ('019b7600-0000-7000-8000-000000000201', '019b7600-0000-7000-8000-00000000000b');
        insert into comments (id, author_id, thought_id, text) values
          ('019b7600-0000-7000-8000-000000000401', '019b7600-0000-7000-8000-00000000000b',
            '019b7600-0000-7000-8000-000000000201', 'Ha!');
        insert into event_rsvps (event_id, user_id, status) values
          ('019b7600-0000-7000-8000-000000000301', '019b7600-0000-7000-8000-00000000000a', 'GOING');
        """

    private static func database(
        _ fill: (DedicatedConnection) async throws -> Void
    ) async throws -> DedicatedConnection {
        let url = try await TestPostgres.shared.database()
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(url))
        try await fill(connection)
        return connection
    }

    /// Everything that the migrations make, a line each; but partitions of days.
    private static func catalog(_ connection: DedicatedConnection) async throws -> [String] {
        try await connection.run(
            CatalogLines(
                sql: """
                    select line from (
                    select 'column ' || a.attrelid::regclass || '.' || a.attname || ' '
                      || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' '
                      || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as line
                    from pg_attribute a join pg_class c on c.oid = a.attrelid
                    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                    where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
                    union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' '
                      || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
                    union all select 'index ' || pg_get_indexdef(indexrelid) from pg_index i
                      join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace
                    union all select 'function ' || pg_get_functiondef(oid) || ' ' || coalesce(proacl::text, '')
                      from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
                    union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
                    union all select 'policy ' || concat_ws(' ', tablename, policyname, roles, cmd, qual, with_check)
                      from pg_policies
                    union all select 'table ' || concat_ws(' ', oid::regclass, relkind, relrowsecurity,
                      relforcerowsecurity, reloptions, relacl) from pg_class where relnamespace = 'public'::regnamespace
                    ) as lines where line !~ 'change_log_[0-9]{8}' order by line
                    """))
    }
}

private struct CatalogLines: Statement {
    let sql: SQL
    func decode(_ row: Row) -> String { row.string(0) }
}
