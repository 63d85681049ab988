import Glibc
import Postgres
import Testing

@testable import App

@Suite(.serialized) struct RoleTests {
    @Test func noRoleIsASuperuserOrBypassesPolicies() async throws {
        let world = try await World.make()
        let roles = try await world.texts(
            """
            select rolname || case when rolsuper or rolbypassrls or rolcanlogin or rolinherit or rolcreaterole \
            or rolcreatedb then ' has too many rights' else '' end from pg_roles where rolname like 'tertulia\\_%' \
            and rolname not like '%test%' order by 1
            """)
        #expect(roles == ["tertulia_owner", "tertulia_server", "tertulia_trigger", "tertulia_worker"])
        await world.shutdown()
    }

    /// DATABASE_URL logs in as a member of the roles; what is left when a role is left is nothing.
    @Test func aLoginWithoutItsRoleHasNoRights() async throws {
        let world = try await World.make()
        let login = "tertulia_test_login_\(getpid())"
        try await world.execute(
            script: """
                create role \(login) login noinherit password 'p';
                grant tertulia_owner, tertulia_server, tertulia_worker to \(login);
                """)
        for role in ["tertulia_server", "tertulia_worker"] {
            let url = world.url.connecting(as: login, password: "p")
            let connection = try await DedicatedConnection.open(ConnectionConfiguration(url, role: role))
            for statement in ["reset role", "reset all", "set session authorization default"] {
                try await connection.execute(script: statement)
                #expect(try await connection.run(Texts(sql: "select current_user::text")) == [role], "\(statement)")
            }
            #expect(try await connection.run(Texts(sql: "select count(*)::text from users where false")).count == 1)
            try await connection.execute(script: "set role none")
            #expect(try await connection.run(Texts(sql: "select current_user::text")) == [login])
            let readable = try await connection.run(
                Texts(
                    sql: """
                        select c.oid::regclass::text from pg_class c \
                        where c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_migrations' \
                        and c.relkind in ('r', 'p', 'S', 'v') \
                        and (has_table_privilege(c.oid, 'select, insert, update, delete, truncate') \
                        or (c.relkind <> 'S' and has_any_column_privilege(c.oid, 'select, insert, update')))
                        """))
            #expect(readable == [])
            let error = await #expect(throws: PostgresError.self) {
                try await connection.execute("select count(*) from thoughts")
            }
            #expect(error?.sqlstate == .insufficientPrivilege)
            await connection.close()
        }
        // The backends end after their connections do: a role that is logged in can be dropped all the same.
        try await world.execute(script: "drop role \(login)")
        await world.shutdown()
    }
}

extension String {
    /// A connection string with another user: of a URL as parameters, of `key=value` pairs at the end.
    fileprivate func connecting(as user: String, password: String) -> String {
        guard contains("://") else { return self + " user=\(user) password=\(password)" }
        return self + (contains("?") ? "&" : "?") + "user=\(user)&password=\(password)"
    }
}
