/// A table of the schema `public`. `StructureTables` leaves out the daily partitions of tables.
struct StructureTable: Sendable {
    let name: String
    /// The text after the columns: partitioning and storage parameters.
    let suffix: String
}

struct StructureTables: Statement {
    var sql: SQL {
        """
        select c.relname::text,
          case when c.relispartition then
            ' PARTITION OF ' || (select inhparent::regclass from pg_inherits where inhrelid = c.oid)
              || ' ' || pg_get_expr(c.relpartbound, c.oid) else '' end
          || coalesce(' PARTITION BY ' || pg_get_partkeydef(c.oid), '')
          || coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', '')
        from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname !~ '_[0-9]{8}$'
        order by c.relname
        """
    }
    func decode(_ row: Row) -> StructureTable { StructureTable(name: row.string(0), suffix: row.string(1)) }
}

/// A part of a table's description, of one or a few lines.
struct StructurePart: Sendable {
    enum Kind: Int, Sendable {
        case column, constraint, reference, index, security, policy, grant, trigger
    }

    let table: String
    let kind: Kind
    let text: String
    /// The signature of the function that a trigger calls; otherwise empty.
    let function: String
}

struct StructureParts: Statement {
    var sql: SQL {
        """
        select c.relname::text, p.kind, p.line, p.function
        from pg_class c cross join lateral (
          \(Self.columns) union all \(Self.constraints) union all \(Self.indexes) union all \(Self.policies)
          union all \(Self.grants) union all \(Self.triggers)
        ) as p (kind, place, line, function)
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname !~ '_[0-9]{8}$'
        order by c.relname, p.kind, p.place collate "C", p.line collate "C"
        """
    }
    func decode(_ row: Row) throws -> StructurePart {
        StructurePart(
            table: row.string(0), kind: StructurePart.Kind(rawValue: Int(row.int32(1))) ?? .column, text: row.string(2),
            function: row.string(3))
    }

    private static let columns: SQL = """
        select 0, lpad(a.attnum::text, 4, '0'),
          quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
            || case when a.attstorage <> t.typstorage then ' STORAGE ' || a.attstorage::text else '' end
            || case when a.attnotnull then ' NOT NULL' else '' end
            || case a.attidentity when '' then '' else ' GENERATED ALWAYS AS IDENTITY' end
            || coalesce((select ' (INCREMENT BY ' || s.seqincrement || ')' from pg_sequence s
              where a.attidentity <> '' and s.seqincrement <> 1
                and s.seqrelid = pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass), '')
            || coalesce(case a.attgenerated
              when 's' then ' GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid, true) || ') STORED'
              else ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid, true) end, ''),
          ''
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        """

    /// The constraints of the table, and the foreign keys of other tables that refer to it.
    private static let constraints: SQL = """
        select 1, translate(k.contype::text, 'pucf', '0123') || k.conname,
          'CONSTRAINT ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid, true), ''
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'c', 'f')
        union all
        select 2, '', '-- Referred to by ' || k.conrelid::regclass || ' ('
            || (select string_agg(attname, ', ' order by attnum) from pg_attribute
              where attrelid = k.conrelid and attnum = any(k.conkey))
            || case k.confdeltype when 'c' then '), deleted with its rows' when 'n' then '), set null with its rows'
              else ')' end, ''
        from pg_constraint k where k.confrelid = c.oid and k.contype = 'f'
        """

    private static let indexes: SQL = """
        select 3, '', pg_get_indexdef(i.indexrelid, 0, true) || ';', ''
        from pg_index i where i.indrelid = c.oid
          and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
        """

    private static let policies: SQL = """
        select 4, '', 'ALTER TABLE ' || c.oid::regclass || ' ENABLE ROW LEVEL SECURITY'
            || case when c.relforcerowsecurity then ', FORCE ROW LEVEL SECURITY;' else ';' end, ''
        where c.relrowsecurity
        union all
        select 5, p.polroles::regrole[]::text || p.polcmd::text || p.polname,
          'CREATE POLICY ' || quote_ident(p.polname) || ' ON ' || c.oid::regclass
            || case when p.polpermissive then '' else ' AS RESTRICTIVE' end
            || case p.polcmd when 'r' then ' FOR SELECT' when 'a' then ' FOR INSERT' when 'w' then ' FOR UPDATE'
              when 'd' then ' FOR DELETE' else '' end
            || ' TO ' || (select string_agg(coalesce(r.rolname, 'public'), ', ' order by r.rolname)
              from unnest(p.polroles) as role left join pg_roles r on r.oid = role)
            || coalesce(e'\\n  USING (' || pg_get_expr(p.polqual, p.polrelid, true) || ')', '')
            || coalesce(e'\\n  WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid, true) || ')', '') || ';',
          ''
        from pg_policy p where p.polrelid = c.oid
        """

    /// The grants, except those to the owner.
    private static let grants: SQL = """
        select 6, g.grantee::regrole::text, 'GRANT ' || string_agg(g.privilege_type, ', ' order by g.privilege_type)
          || ' ON ' || c.oid::regclass || ' TO ' || g.grantee::regrole || ';', ''
        from aclexplode(c.relacl) g where g.grantee <> c.relowner group by g.grantee
        union all
        select 6, g.grantee::regrole::text, 'GRANT ' || g.privilege_type || ' ('
          || string_agg(a.attname, ', ' order by a.attnum) || ') ON ' || c.oid::regclass || ' TO ' || g.grantee::regrole
          || ';', ''
        from pg_attribute a, aclexplode(a.attacl) g
        where a.attrelid = c.oid and not a.attisdropped group by g.grantee, g.privilege_type
        """

    /// The triggers in the order in which they run: before the statement, before each row, after each row, after the
    /// statement.
    private static let triggers: SQL = """
        select 7,
          case t.tgtype & 3 when 2 then '0' when 3 then '1' when 1 then '2' else '3' end || t.tgname,
          replace(replace(replace(replace(pg_get_triggerdef(t.oid, true), ' REFERENCING ', e'\\n  REFERENCING '),
            ' FOR EACH ', e'\\n  FOR EACH '), ' WHEN (', e'\\n  WHEN ('), ' EXECUTE ', e'\\n  EXECUTE ') || ';',
          t.tgfoid::regprocedure::text
        from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal
        """
}

/// A function with its owner, its grants and the functions that its body names.
struct StructureFunction: Sendable {
    let signature: String
    let text: String
    /// The signatures of the functions that it calls and that neither the server's nor the worker's role may execute.
    let inner: [String]
}

struct StructureFunctions: Statement {
    var sql: SQL {
        """
        with functions as materialized (
          select p.oid, p.proname, p.oid::regprocedure::text as signature, p.proowner, p.proacl,
            coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) as body,
            has_function_privilege('tertulia_server', p.oid, 'execute')
              or has_function_privilege('tertulia_worker', p.oid, 'execute') as is_outer
          from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
            and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
        )
        select f.signature,
          '-- ' || f.signature || ', owned by ' || f.proowner::regrole
          || coalesce(e'\\n-- called by ' || (
            select string_agg(g.grantee::regrole::text, ', ' order by g.grantee::regrole::text)
            from aclexplode(f.proacl) g where g.grantee <> f.proowner), '')
          || coalesce(e'\\n-- calls ' || array_to_string(calls.of_all, ', '), '')
          || e'\\n' || rtrim(pg_get_functiondef(f.oid), e'\\n') || ';',
          coalesce(array_to_string(calls.of_inner, e'\\n'), '')
        from functions f cross join lateral (
          select array_agg(o.signature order by o.signature collate "C") as of_all,
            array_agg(o.signature order by o.signature collate "C") filter (where not o.is_outer) as of_inner
          from functions o where o.oid <> f.oid and f.body ~ ('\\m' || o.proname || '\\s*\\(')
        ) as calls
        order by f.signature collate "C"
        """
    }
    func decode(_ row: Row) -> StructureFunction {
        StructureFunction(
            signature: row.string(0), text: row.string(1), inner: row.string(2).split(separator: "\n").map(String.init))
    }
}

/// The composite types, views, roles, grants on the schema, default privileges and extensions, one text for each.
struct StructureOthers: Statement {
    var sql: SQL {
        """
        select text from (
          select 0 as kind, 'CREATE TYPE ' || t.oid::regtype || e' AS (\\n  ' || (
            select string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod), e',\\n  ' order by attnum)
            from pg_attribute where attrelid = t.typrelid and attnum > 0 and not attisdropped) || e'\\n);' as text
          from pg_type t join pg_class c on c.oid = t.typrelid
          where t.typnamespace = 'public'::regnamespace and c.relkind = 'c'
          union all
          select 1, 'CREATE VIEW ' || c.oid::regclass || e' AS\\n' || pg_get_viewdef(c.oid, true)
          from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')
          union all
          select 2, 'CREATE ROLE ' || rolname || case when rolcanlogin then ' LOGIN' else ' NOLOGIN' end
            || case when rolsuper then ' SUPERUSER' else ' NOSUPERUSER' end
            || case when rolbypassrls then ' BYPASSRLS' else ' NOBYPASSRLS' end
            || case when rolinherit then ' INHERIT' else ' NOINHERIT' end || ';'
          from pg_roles where rolname ~ '^tertulia_(owner|server|worker|trigger)$'
          union all
          select 3, 'GRANT ' || string_agg(g.privilege_type, ', ' order by g.privilege_type) || ' ON SCHEMA public TO '
            || g.grantee::regrole || ';'
          from pg_namespace n, aclexplode(n.nspacl) g
          where n.nspname = 'public' and g.grantee <> n.nspowner and g.grantee <> 0 group by g.grantee
          union all
          select 4, '-- Default privileges of ' || d.defaclrole::regrole || ' on ' || d.defaclobjtype::text || ': '
            || d.defaclacl::text
          from pg_default_acl d
          union all
          select 5, 'CREATE EXTENSION ' || extname || ';' from pg_extension
        ) as others order by kind, text collate "C"
        """
    }
    func decode(_ row: Row) -> String { row.string(0) }
}
