import Logging
import Postgres
import TestPostgres
import Testing

/// A primary and a standby that streams from it.
@Suite struct StandbySetTests {
    /// Tells on which server it ran; on a standby it may take its time.
    private struct Place: Statement {
        var secondsOnStandby = 0.0

        var sql: SQL {
            """
            select pg_is_in_recovery(), count(*), \
            case when pg_is_in_recovery() then pg_sleep(\(secondsOnStandby))::text end from things
            """
        }

        func decode(_ row: Row) -> String { "\(row.bool(0) ? "standby" : "primary") \(row.int64(1))" }
    }

    private struct Servers {
        let primary: ThrowawayCluster
        let standby: ThrowawayCluster
        let administrator: DedicatedConnection
        let pool: Pool
        let standbys: StandbySet

        func read(_ statement: Place = Place(), atLeast position: TransactionPosition? = nil) async throws -> String? {
            guard let standby = standbys.choose(atLeast: position) else {
                return try await pool.run(statement).first
            }
            return try await standbys.start(
                statement, settings: nil, on: standby, atLeast: position, orOn: pool, onFallback: {}
            ).value.first
        }

        func takesReads() async throws -> Bool {
            await standbys.probe()
            return standbys.statistics(of: 0).takesReads
        }

        func onStandby(_ sql: SQL) async throws {
            let connection = try await DedicatedConnection.open(ConnectionConfiguration(standby.connectionString))
            _ = try await connection.execute(sql)
            await connection.close()
        }
    }

    private func withServers(deadline: Duration = .seconds(20), _ body: (Servers) async throws -> Void) async throws {
        let primary = try ThrowawayCluster.start()
        defer {
            primary.stop()
            primary.remove()
        }
        let administrator = try await DedicatedConnection.open(ConnectionConfiguration(primary.connectionString))
        try await administrator.execute(script: "create table things (name text)")
        let standby = try primary.standby()
        defer {
            standby.stop()
            standby.remove()
        }
        var configuration = PoolConfiguration(ConnectionConfiguration(primary.connectionString), connections: 2)
        configuration.deadline = .seconds(30)
        configuration.patience = .seconds(30)
        let pool = Pool(configuration)
        var connection = ConnectionConfiguration(standby.connectionString)
        connection.logger.logLevel = .critical
        var onStandby = PoolConfiguration(connection, connections: 2)
        onStandby.deadline = deadline
        onStandby.patience = .zero
        var standbyConfiguration = StandbySetConfiguration(
            [.init(name: "standby", read: onStandby, slow: onStandby)], primary: pool,
            check: "select pg_is_in_recovery(), 1::bigint, pg_snapshot_xmin(pg_current_snapshot())",
            standbyProbe: """
                select pg_is_in_recovery(), 1::bigint, pg_snapshot_xmin(pg_current_snapshot()), \
                coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint
                """,
            primaryProbe: "select 1::bigint, 2::bigint, true, (pg_current_wal_lsn() - '0/0')::bigint")
        standbyConfiguration.logger.logLevel = .critical
        let standbys = StandbySet(standbyConfiguration)
        let servers = Servers(
            primary: primary, standby: standby, administrator: administrator, pool: pool, standbys: standbys)
        #expect(try await eventually { try await servers.takesReads() })
        do { try await body(servers) } catch {
            await standbys.shutdown()
            await pool.shutdown()
            throw error
        }
        await standbys.shutdown()
        await pool.shutdown()
        await administrator.close()
    }

    /// A row that is on the primary alone is seen by a read that needs it, and only by that.
    @Test func aReadSeesThePositionThatItNeeds() async throws {
        try await withServers { servers in
            #expect(try await servers.read() == "standby 0")
            try await servers.onStandby("select pg_wal_replay_pause()")
            let transaction = try await servers.administrator.execute(
                """
                with new as (insert into things values ('a') returning 1) select pg_current_xact_id(), count(*) from new
                """)[0].int64(0)
            let position = TransactionPosition(epoch: 1, transaction: transaction)
            #expect(try await servers.read() == "standby 0")
            #expect(try await servers.read(atLeast: position) == "primary 1")
            #expect(servers.standbys.statistics(of: 0).fallbacks == 1)
            // The second one is not sent to the standby at all.
            #expect(try await servers.read(atLeast: position) == "primary 1")
            #expect(servers.standbys.statistics(of: 0).fallbacks == 1)
            try await servers.onStandby("select pg_wal_replay_resume()")
            #expect(
                try await eventually {
                    await servers.standbys.probe()
                    return try await servers.read(atLeast: position) == "standby 1"
                })
            #expect(servers.standbys.position(of: 5, cursorEpoch: 2) == TransactionPosition(epoch: 1, transaction: 5))
            #expect(servers.standbys.position(of: 5, cursorEpoch: 3) == nil)
        }
    }

    /// A standby's snapshot has no list of running transactions, so `pg_visible_in_snapshot` says that the standby sees
    /// a transaction that is still open.
    @Test func anOpenTransactionIsNotPassed() async throws {
        try await withServers { servers in
            let writer = try await DedicatedConnection.open(ConnectionConfiguration(servers.primary.connectionString))
            try await writer.execute("begin")
            let transaction = try await writer.execute(
                "with new as (insert into things values ('a') returning 1) select pg_current_xact_id() from new"
            )[0].int64(0)
            // A younger transaction is committed, and replayed.
            try await servers.administrator.execute("insert into things values ('b')")
            #expect(try await eventually { try await servers.read() == "standby 1" })
            let position = TransactionPosition(epoch: 1, transaction: transaction)
            #expect(try await servers.read(atLeast: position) == "primary 1")
            try await servers.onStandby("select pg_wal_replay_pause()")
            try await writer.execute("commit")
            #expect(try await servers.read(atLeast: position) == "primary 2")
            try await servers.onStandby("select pg_wal_replay_resume()")
            #expect(
                try await eventually {
                    await servers.standbys.probe()
                    return try await servers.read(atLeast: position) == "standby 2"
                })
            await writer.close()
        }
    }

    /// 40001: the replay of a lock cancels the read that is in its way.
    @Test func aConflictWithReplayIsNotNoticed() async throws {
        try await withServers { servers in
            try await servers.onStandby("alter system set max_standby_streaming_delay = 0")
            try await servers.onStandby("select pg_reload_conf()")
            async let answer = servers.read(Place(secondsOnStandby: 600))
            let running: SQL = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'"
            let watcher = try await DedicatedConnection.open(ConnectionConfiguration(servers.standby.connectionString))
            #expect(try await eventually { try await watcher.execute(running)[0].int64(0) == 1 })
            try await servers.administrator.execute("alter table things add column color text")
            #expect(try await answer == "primary 0")
            #expect(servers.standbys.choose(atLeast: nil) == nil)
            #expect(try await eventually { try await servers.takesReads() })
            await watcher.close()
        }
    }

    @Test func aStandbyThatDoesNotAnswerIsLeftOut() async throws {
        try await withServers(deadline: .milliseconds(100)) { servers in
            for number in 1...3 {
                let answer = try await servers.read(Place(secondsOnStandby: 600))
                #expect(answer == "primary 0")
                #expect((servers.standbys.choose(atLeast: nil) == nil) == (number == 3))
            }
        }
    }

    @Test func aDeadStandbyIsNotNoticedAndComesBack() async throws {
        try await withServers { servers in
            async let answer = servers.read(Place(secondsOnStandby: 600))
            let watcher = try await DedicatedConnection.open(ConnectionConfiguration(servers.standby.connectionString))
            let running: SQL = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'"
            #expect(try await eventually { try await watcher.execute(running)[0].int64(0) == 1 })
            servers.standby.stop()
            #expect(try await answer == "primary 0")
            #expect(try await servers.read() == "primary 0")
            #expect(try await !servers.takesReads())
            await watcher.close()
            let again = try servers.standby.restart()
            #expect(try await eventually { try await servers.takesReads() })
            #expect(try await servers.read() == "standby 0")
            again.stop()
        }
    }

    /// No probe has run since the promotion: the read's own segment finds it.
    @Test func aPromotedStandbyIsNotNoticed() async throws {
        try await withServers { servers in
            try servers.standby.promote()
            let promoted = try await DedicatedConnection.open(ConnectionConfiguration(servers.standby.connectionString))
            try await promoted.execute("insert into things values ('of another history')")
            await promoted.close()
            #expect(servers.standbys.choose(atLeast: nil) == 0)
            #expect(try await servers.read() == "primary 0")
            #expect(try await !servers.takesReads())
            #expect(servers.standbys.choose(atLeast: nil) == nil)
        }
    }
}
