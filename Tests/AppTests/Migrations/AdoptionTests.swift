import Migrations
import Postgres
import TestPostgres
import Testing

@testable import App
@testable import ChangeFeed

/// A database of the history before the baseline becomes what a new one is, and keeps what it holds.
@Suite struct AdoptionTests {
    @Test func theEarlierHistoryIsReplacedByThisOne() async throws {
        let fresh = try await TestMigrations.database { try await TestMigrations.migrator($0).migrate() }
        let expected = try await Self.catalog(fresh)
        #expect(expected.count > 1000)
        let adopted = try await TestMigrations.database { connection in
            try await Self.applyEarlierHistory(to: connection)
            let migrator = TestMigrations.migrator(connection)
            #expect(try await migrator.status().allSatisfy { $0.state == .pending })
            #expect(try await migrator.isHistoryEarlier())
            #expect(try await migrator.migrate(dryRun: true) == TestMigrations.all)
            #expect(try await migrator.migrate() == TestMigrations.all)
            #expect(try await migrator.migrate() == [])
            #expect(try await !migrator.isHistoryEarlier())
            #expect(try await migrator.status().allSatisfy { $0.state != .pending })
        }
        let found = try await Self.catalog(adopted)
        #expect(Set(expected).subtracting(found) == [] && Set(found).subtracting(expected) == [])
        #expect(found == expected)
        let history: SQL = """
            select concat_ws(' ', version, name, checksum, compatibility) from schema_migrations order by version
            """
        #expect(try await adopted.run(CatalogLines(sql: history)) == fresh.run(CatalogLines(sql: history)))
        for connection in [fresh, adopted] { await connection.close() }
    }

    /// Nothing is taken over but exactly the earlier history.
    @Test func anotherHistoryIsRefused() async throws {
        let refusal = MigrationError.checksumDiffers(version: 1, name: "roles")
        let database = try await TestMigrations.database { connection in
            let incomplete = Array(try TestMigrations.ofEarlierHistory().dropLast())
            try await Migrator(incomplete, connection: connection).migrate()
            await #expect(throws: refusal) { try await TestMigrations.migrator(connection).migrate() }
        }
        await database.close()
    }

    /// What the first migrations could hold is there after them and after the baseline, with exact counters and in every
    /// order.
    @Test func whatTheFirstMigrationsHeldIsKept() async throws {
        let connection = try await TestMigrations.database { connection in
            try await Self.applyEarlierHistory(to: connection, Self.firstRelease, after: 7)
            try await TestMigrations.migrator(connection).migrate()
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

    /// The objects of a copy may be filed under numbers that are higher than any to come here, and the log's readers would
    /// wait for those.
    @Test func aCopyFilesItsObjectsAnew() async throws {
        let world = try await World.make()
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await connection.execute(
            script: "insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(0xA))', '\(worldUUID(0xB))')")
        let tables: [StaticString] = [
            "thoughts", "events", "comments", "conversations", "conversation_members", "messages", "notifications",
            "hidden_people",
        ]
        for table in tables { try await connection.execute(script: "update \(table) set changed_in = '9000000000000'") }
        #expect(try await ChangeLogOrigin.adopt(connection))
        for table in tables {
            let isPast: SQL =
                "select (max(changed_in) < pg_snapshot_xmax(pg_current_snapshot()))::text from \(unsafe: table)"
            #expect(try await connection.run(CatalogLines(sql: isPast)) == ["true"], "\(table)")
        }
        await connection.close()
        await world.shutdown()
    }

    /// Nobody is told twice, nor not at all, where the log becomes what tells of comments, or begins anew.
    @Test func everyCommentIsNotedOnce() async throws {
        let world = try await World.make()
        // A transaction in another database of the cluster: the log is not read beyond the oldest one.
        let older = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await older.execute(script: "begin; select pg_current_xact_id()")
        let upgraded = try await TestMigrations.database { connection in
            try await Self.applyEarlierHistory(to: connection, Self.firstRelease, after: 27)
            try await TestMigrations.migrator(connection).migrate()
        }
        await older.close()
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await connection.execute(script: "delete from notifications; delete from comments")
        for (database, subjects) in [(upgraded, 1), (connection, 0)] {
            let comment = """
                insert into comments (id, author_id, thought_id, text)
                select gen_random_uuid(), '019b7600-0000-7000-8000-00000000000b', id, 'So.' from thoughts
                where id = '019b7600-0000-7000-8000-000000000201'
                """
            let noted: SQL = "select (select count(*) from outbox where kind = 'COMMENT')::text"
            let note = "select enqueue_comments('18446744073709551615', 1000)"
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

    /// With a script that is run after the migration with a version.
    private static func applyEarlierHistory(
        to connection: DedicatedConnection, _ script: String = "", after version: Int = 0
    ) async throws {
        let migrations = try TestMigrations.ofEarlierHistory()
        #expect(migrations.count == 33)
        try await Migrator(migrations.filter { $0.version <= version }, connection: connection).migrate()
        try await connection.execute(script: script)
        try await Migrator(migrations, connection: connection).migrate()
    }

    /// Everything that the migrations make, a line each; but partitions of days. And how many rows they make.
    private static func catalog(_ connection: DedicatedConnection) async throws -> [String] {
        try await connection.run(CatalogLines(sql: Self.catalogLines))
            + connection.run(
                CatalogLines(
                    sql: """
                        select relname || ' ' || (xpath('//n/text()', query_to_xml(
                          'select count(*) as n from ' || quote_ident(relname), false, true, '')))[1]::text
                        from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
                          and relname !~ '_[0-9]{8}$' order by 1
                        """))
    }

    private static let catalogLines: SQL = """
        select line from (
          select 'column ' || concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
            pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attstorage,
            row_number() over (partition by a.attrelid order by a.attnum)) as line
          from pg_attribute a join pg_class c on c.oid = a.attrelid
          left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
          union all
          select 'constraint ' || concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
          from pg_constraint where connamespace = 'public'::regnamespace
          union all
          select 'order of foreign keys of ' || table_name || ' ' || string_agg(conname, ' ' order by tgname)
          from (
            select k.conrelid::regclass::text as table_name, k.conname, t.tgname
            from pg_constraint k join pg_trigger t on t.tgconstraint = k.oid and t.tgrelid = k.conrelid
            where k.contype = 'f' and t.tgtype & 4 = 4
          ) as checks group by table_name
          union all
          select 'index ' || concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid, indisclustered, indisreplident)
          from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace
          union all
          select 'function ' || pg_get_functiondef(oid) || ' ' || proowner::regrole
          from pg_proc where pronamespace = 'public'::regnamespace
          union all
          select 'trigger ' || pg_get_triggerdef(oid) || ' ' || tgenabled::text from pg_trigger where not tgisinternal
          union all
          select 'policy ' || concat_ws(' ', tablename, policyname, permissive, roles, cmd, qual, with_check)
          from pg_policies
          union all
          select 'relation ' || concat_ws(' ', relname, relkind, relrowsecurity, relforcerowsecurity, reloptions,
            relowner::regrole, relreplident, relpersistence)
          from pg_class where relnamespace = 'public'::regnamespace
          union all
          select 'grant ' || concat_ws(' ', c.oid::regclass, g.grantee::regrole, g.grantor::regrole, g.privilege_type)
          from pg_class c, aclexplode(coalesce(relacl, acldefault('r', relowner))) g
          where relnamespace = 'public'::regnamespace
          union all
          select 'grant ' || concat_ws(' ', c.relname, attname, g.grantee::regrole, g.grantor::regrole, g.privilege_type)
          from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) g
          where relnamespace = 'public'::regnamespace and not attisdropped
          union all
          select 'grant ' || concat_ws(' ', p.oid::regprocedure, g.grantee::regrole, g.grantor::regrole)
          from pg_proc p, aclexplode(coalesce(proacl, acldefault('f', proowner))) g
          where pronamespace = 'public'::regnamespace
          union all
          select 'grant ' || concat_ws(' ', 'schema', g.grantee::regrole, g.privilege_type)
          from pg_namespace, aclexplode(nspacl) g where nspname = 'public'
          union all
          select 'default ' || concat_ws(' ', defaclrole::regrole, defaclobjtype, defaclnamespace, defaclacl)
          from pg_default_acl
          union all
          select 'type ' || concat_ws(' ', typname, typtype, typowner::regrole, typacl)
          from pg_type where typnamespace = 'public'::regnamespace and typtype <> 'b'
          union all
          select 'sequence ' || concat_ws(' ', seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement, seqmax,
            seqmin, seqcache, seqcycle) from pg_sequence
          union all
          select 'comment ' || objoid || description from pg_description where objoid >= 16384
          union all
          select 'extension ' || extname from pg_extension
        ) as lines where line !~ 'change_log_[0-9]{8}' order by line collate "C"
        """
}
