import Testing

@testable import App

/// What the catalog says of every table, function and foreign key, the ones to come included.
@Suite struct CatalogTests {
    @Test func everyTableHasForcedRowLevelSecurity() async throws {
        let world = try await World.make()
        let tables = try await world.texts(
            """
            select oid::regclass::text from pg_class where relnamespace = 'public'::regnamespace \
            and relkind in ('r', 'p') and relname <> 'schema_migrations' \
            and not (relrowsecurity and relforcerowsecurity)
            """)
        #expect(tables == [])
        #expect(try await world.number("select count(*) from pg_class where relrowsecurity") > 15)
        await world.shutdown()
    }

    @Test func everyViewAsksAsItsUser() async throws {
        let world = try await World.make()
        let views = try await world.texts(
            """
            select oid::regclass::text from pg_class where relnamespace = 'public'::regnamespace \
            and (relkind = 'm' or relkind = 'v' and not coalesce(reloptions @> array['security_invoker=true'], false))
            """)
        #expect(views == [])
        await world.shutdown()
    }

    @Test func everyDefinerFunctionHasAFixedSearchPath() async throws {
        let world = try await World.make()
        let functions = try await world.texts(
            """
            select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace and prosecdef \
            and not exists (select from unnest(proconfig) as setting where setting like 'search\\_path=%pg_temp')
            """)
        #expect(functions == [])
        #expect(try await world.number("select count(*) from pg_proc where prosecdef") > 5)
        await world.shutdown()
    }

    @Test func theAppliedMigrationsAreReadByTheWorkerAlone() async throws {
        let world = try await World.make()
        let readers = try await world.texts(
            """
            select grantee::regrole || ' ' || privilege_type from pg_class, aclexplode(relacl) \
            where relname = 'schema_migrations' and grantee <> relowner
            """)
        #expect(readers == ["tertulia_worker SELECT"])
        await world.shutdown()
    }

    @Test func noFunctionIsEverybodys() async throws {
        let world = try await World.make()
        let functions = try await world.texts(
            """
            select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace \
            and has_function_privilege('public', oid, 'execute')
            """)
        #expect(functions == [])
        await world.shutdown()
    }

    /// Whatever the server writes for a viewer it refuses to a suspended one, but for claims, which only come with a
    /// write.
    @Test func everyWrittenTableRefusesSuspendedViewers() async throws {
        let world = try await World.make()
        let tables = try await world.texts(
            """
            select c.oid::regclass::text from pg_class c where c.relnamespace = 'public'::regnamespace \
            and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'idempotency' \
            and (has_any_column_privilege('tertulia_server', c.oid, 'insert, update') \
            or has_table_privilege('tertulia_server', c.oid, 'delete')) \
            and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'refuse_suspended')
            """)
        #expect(tables == [])
        #expect(try await world.number("select count(*) from pg_trigger where tgname = 'refuse_suspended'") > 15)
        await world.shutdown()
    }

    /// A cascade looks for the referring rows: without an index each deletion reads the whole table.
    @Test func everyForeignKeyHasAnIndex() async throws {
        let world = try await World.make()
        let keys = try await world.texts(
            """
            select k.conrelid::regclass || ' ' || k.conname from pg_constraint k where k.contype = 'f' \
            and not exists (select from pg_index i where i.indrelid = k.conrelid and i.indisvalid \
            and (i.indkey::smallint[])[0:cardinality(k.conkey) - 1] @> k.conkey \
            and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = '(' || (select attname from pg_attribute \
            where attrelid = k.conrelid and attnum = k.conkey[1]) || ' IS NOT NULL)'))
            """)
        #expect(keys == [])
        #expect(try await world.number("select count(*) from pg_constraint where contype = 'f'") > 15)
        await world.shutdown()
    }
}
