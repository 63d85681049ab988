import App
import ChangeFeed
import Glibc
import Logging
import Postgres

/// Checks the database: its version, programs, migrations, clock, open transactions, epoch and roles.
struct DatabaseChecks {
    let connection: DedicatedConnection
    /// The role that the server's pools log in as.
    let loginRole: String
    /// The programs to compare with the running server; nil for those of its version on this machine.
    var installation: PostgreSQLInstallation?

    func findings() async throws -> [Finding] {
        [
            try await version(), try await programs(), try await functions(), try await migrations(), try await clock(),
            try await oldestTransaction(),
            try await changeLog(),
        ]
            + (try await epoch()) + (try await roles()) + [try await login()]
    }

    private func migrations() async throws -> Finding {
        do {
            let migrator = Migrator.ofThisRelease(connection, logger: Logger(label: "doctor"))
            let states = try await connection.asWorker { _ in try await migrator.status().map(\.state) }
            let known = migrator.migrations.count
            return Self.migrations(pending: states.count { $0 == .pending }, of: known, newer: states.count - known)
        } catch let error as MigrationError {
            return .problem("Migrations", error.description, remedy: "use the executable that made this database")
        }
    }

    static func migrations(pending: Int, of total: Int, newer: Int) -> Finding {
        guard pending > 0 else {
            let others = newer > 0 ? ", and \(newer) of a newer release, which this one runs with" : ""
            return .fine("Migrations", "all \(total) are applied\(others)")
        }
        return .problem("Migrations", "\(pending) of \(total) are not applied", remedy: "tertulia migrate")
    }

    private func version() async throws -> Finding {
        try await connection.one(
            "select current_setting('server_version_num')::int4, current_setting('server_version')"
        ) { Self.version(Int($0.int32(0)) / 10_000, name: $0.string(1)) }
    }

    static func version(_ major: Int, name: String) -> Finding {
        switch major {
        case 15: .fine("PostgreSQL", name)
        case 14, 16, 17:
            .warning("PostgreSQL", "\(name) is expected to work, but untested", remedy: "use 15 where it matters")
        case ..<14: .problem("PostgreSQL", "\(name) is too old", remedy: "upgrade to 15")
        default: .warning("PostgreSQL", "\(name) is untested", remedy: "use 15 where it matters")
        }
    }

    private func programs() async throws -> Finding {
        let (running, number, isLocal) = try await connection.one(
            """
            select current_setting('server_version'), current_setting('server_version_num')::int4,
                   inet_server_addr() is null
            """
        ) { ($0.string(0), $0.int32(1), $0.bool(2)) }
        guard isLocal else { return .fine("Programs", "not compared: the server may be on another machine") }
        var found = installation
        if found == nil { found = await PostgreSQLInstallation.find(major: Int(number) / 10_000) }
        guard let found else { return .fine("Programs", "not compared: they are not on this machine") }
        return Self.programs(onDisk: found.version, running: running)
    }

    static func programs(onDisk: String, running: String) -> Finding {
        guard onDisk != running else { return .fine("Programs", "those that run are those on disk") }
        return .warning(
            "Programs", "\(running) runs, \(onDisk) is on disk: PostgreSQL was upgraded while it ran",
            remedy: Self.restart)
    }

    /// Whether a new session can load PL/pgSQL; doctor's connection is one.
    private func functions() async throws -> Finding {
        do {
            try await connection.execute(script: "do $$ begin end $$")
            return .fine("PL/pgSQL", "new sessions load it")
        } catch let error as PostgresError {
            guard let server = error.server else { throw error }
            return .problem(
                "PL/pgSQL", "new sessions cannot load it, so nothing can be written: \(server.message)",
                remedy: Self.restart)
        }
    }

    private static let restart = """
        restart PostgreSQL (systemctl restart postgresql); for the private cluster, stop tertulia and start it again: one \
        that cannot write restarts its cluster by itself
        """

    private func clock() async throws -> Finding {
        let before = Double(Timestamp.now().unixMicroseconds) / 1e6
        let now = try await connection.one("select extract(epoch from clock_timestamp())::float8") { $0.double(0) }
        let after = Double(Timestamp.now().unixMicroseconds) / 1e6
        return Self.clock(skew: now - (before + after) / 2, uncertainty: (after - before) / 2)
    }

    /// - Parameters:
    ///   - skew: in seconds, positive if the database is ahead.
    ///   - uncertainty: in seconds.
    static func clock(skew: Double, uncertainty: Double) -> Finding {
        let milliseconds = Int((skew * 1000).rounded())
        let text = "the database is \(abs(milliseconds)) ms \(milliseconds < 0 ? "behind" : "ahead of") this machine"
        let remedy = "keep both clocks by NTP (timedatectl set-ntp true): tokens and schedules depend on them"
        // Access tokens are accepted with 30 s of skew.
        return switch abs(skew) - uncertainty {
        case 30...: .problem("Clock", text, remedy: remedy)
        case 1...: .warning("Clock", text, remedy: remedy)
        default: .fine("Clock", text)
        }
    }

    private func oldestTransaction() async throws -> Finding {
        let rows = try await connection.execute(
            """
            select pid, extract(epoch from clock_timestamp() - xact_start)::float8,
                   coalesce(nullif(application_name, ''), usename::text, '')
            from pg_stat_activity
            where pid <> pg_backend_pid() and xact_start is not null and backend_type = 'client backend'
              and datname = current_database()
            order by xact_start limit 1
            """)
        return try rows.first {
            Self.oldestTransaction(process: Int($0.int32(0)), seconds: $0.double(1), name: $0.string(2))
        } ?? .fine("Oldest transaction", "none")
    }

    static func oldestTransaction(process: Int, seconds: Double, name: String) -> Finding {
        let text = "\(Int(seconds)) s, process \(process) (\(name))"
        guard seconds >= 5 else { return .fine("Oldest transaction", text) }
        return .warning(
            "Oldest transaction", text,
            remedy: "it holds up what cleans the tables: end it, or select pg_terminate_backend(\(process))")
    }

    /// Finds the oldest transaction that writes, in any database of the cluster: the change log is read up to it, so a
    /// long one holds up every subscription.
    private func changeLog() async throws -> Finding {
        let rows = try await connection.execute(
            """
            select name, remedy, seconds from (
              select 'process ' || pid || ' (' || coalesce(nullif(application_name, ''), usename::text, '') || ' in '
                  || coalesce(datname, '') || ')', 'select pg_terminate_backend(' || pid || ')',
                coalesce(extract(epoch from clock_timestamp() - xact_start), 0)::float8, age(backend_xid)
              from pg_stat_activity where backend_xid is not null and pid <> pg_backend_pid()
              union all
              select 'prepared transaction ' || gid || ' in ' || database, 'rollback prepared ' || quote_literal(gid),
                extract(epoch from clock_timestamp() - prepared)::float8, age(transaction) from pg_prepared_xacts
            ) t (name, remedy, seconds, age) order by age desc limit 1
            """)
        return try rows.first {
            Self.changeLog(heldUpBy: $0.string(0), seconds: $0.double(2), remedy: $0.string(1))
        } ?? .fine("Change log", "no transaction holds it up")
    }

    static func changeLog(heldUpBy name: String, seconds: Double, remedy: String) -> Finding {
        let text = "held up by \(name) for \(Int(seconds)) s"
        guard seconds >= 5 else { return .fine("Change log", text) }
        return .warning("Change log", text, remedy: "every subscription waits: end it, or \(remedy)")
    }

    private func epoch() async throws -> [Finding] {
        // Without the table, the check of migrations reports what is missing.
        let exists = try await connection.one("select to_regclass('change_log_epoch') is not null") { $0.bool(0) }
        guard exists, let epoch = try await ChangeLogOrigin.epoch(connection) else { return [] }
        return [Self.epoch(begunAt: epoch.begunAt, timeline: epoch.timeline, present: epoch.presentTimeline)]
    }

    /// - Parameter present: the timeline that the database writes; nil on a standby.
    static func epoch(begunAt: String, timeline: Int, present: Int?) -> Finding {
        guard let present else {
            return .problem(
                "History", "the database is a standby",
                remedy: "let DATABASE_URL lead to the primary, or name all hosts")
        }
        guard timeline == present else {
            return .warning(
                "History", "the database was promoted or restored: it went from timeline \(timeline) to \(present)",
                remedy: "none where a server runs: it begins a new epoch, and clients read their lists again")
        }
        return .fine("History", "one epoch since \(begunAt), on timeline \(timeline)")
    }

    private func roles() async throws -> [Finding] {
        let rows = try await connection.execute(
            """
            select role, r.oid is not null, coalesce(r.rolsuper, false), coalesce(r.rolbypassrls, false),
                   coalesce(pg_has_role(\(loginRole), r.oid, 'member'), false)
            from unnest(array['tertulia_owner', 'tertulia_server', 'tertulia_worker', 'tertulia_trigger']) role
            left join pg_roles r on r.rolname = role
            """)
        return try rows.decoded { row in
            Self.role(
                row.string(0), exists: row.bool(1), superuser: row.bool(2), bypass: row.bool(3),
                isTakenBy: row.bool(4) ? loginRole : nil)
        }
    }

    static func role(_ name: String, exists: Bool, superuser: Bool, bypass: Bool, isTakenBy login: String?) -> Finding {
        guard exists else { return .problem("Role \(name)", "missing", remedy: "tertulia migrate makes it") }
        guard !superuser && !bypass else {
            return .problem(
                "Role \(name)", "row-level security does not hold for it",
                remedy: "alter role \(name) nosuperuser nobypassrls")
        }
        let isRequests = name == "tertulia_server" || name == "tertulia_worker"
        if isRequests && login == nil {
            return .problem(
                "Role \(name)", "the login role cannot take it", remedy: "grant \(name) to the role of DATABASE_URL")
        }
        return .fine("Role \(name)", "no superuser, no bypassrls")
    }

    private func login() async throws -> Finding {
        let rows = try await connection.execute(
            """
            select rolsuper or rolbypassrls, rolinherit, rolcreaterole
            from pg_roles where rolname = \(loginRole)
            """)
        return try rows.first {
            Self.login(loginRole, powerful: $0.bool(0), inherits: $0.bool(1), createsRoles: $0.bool(2))
        } ?? .problem("Login role \(loginRole)", "missing", remedy: "make it with scripts/login-role.sh")
    }

    static func login(_ name: String, powerful: Bool, inherits: Bool, createsRoles: Bool) -> Finding {
        guard powerful || inherits || createsRoles else { return .fine("Login role \(name)", "no rights of its own") }
        return .warning(
            "Login role \(name)",
            powerful ? "it bypasses row-level security" : "it has rights of its own",
            remedy:
                "requests take a role without power; a login role without any, as scripts/login-role.sh makes it, is safer"
        )
    }
}
