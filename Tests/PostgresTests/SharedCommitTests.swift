import Glibc
import Postgres
import Synchronization
import TestPostgres
import Testing

/// Each test has a cluster of its own that loses what is not flushed: its WAL writer sleeps.
@Suite(.serialized) struct SharedCommitTests {
    private static let count = Query("select count(*) from t") { $0.int64(0) }

    private static func insert(_ id: Int64, refuses: Bool = false) -> Segment {
        var segment = Segment(
            settings: "select set_config('app.viewer_id', \(String(id)), true)",
            ["insert into t values (\(id), current_setting('app.viewer_id'))"])
        if refuses { segment.append("select 1 / 0") }
        segment.commit = .mayBeShared
        return segment
    }

    private func withCluster(
        _ sharing: CommitSharing, _ body: (ThrowawayCluster, Pool, DedicatedConnection) async throws -> Void
    ) async throws {
        let cluster = try ThrowawayCluster.start(
            options: "-c synchronous_commit=on -c wal_writer_delay=10000ms -c restart_after_crash=on")
        defer {
            cluster.stop()
            cluster.remove()
        }
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(cluster.connectionString))
        try await connection.execute(script: "create table t (id bigint primary key, viewer text)")
        try await withPool(connections: 4, maxInFlight: 1, on: cluster.connectionString) {
            $0.commitSharing = sharing
        } _: { pool in
            let connected = try await eventually { pool.statistics.connectionsUp == 4 }
            #expect(connected)
            try await body(cluster, pool, connection)
        }
        await connection.close()
    }

    // MARK: Alone

    @Test func aLoneWriteCommitsByItself() async throws {
        try await withCluster(.whereTheyWait) { _, pool, connection in
            for id in 1...5 {
                // PostgreSQL itself may write WAL at any time, so the end of the WAL need not be flushed.
                let before = try await connection.endOfWAL()
                _ = try await pool.run(Self.insert(Int64(id)))
                #expect(try await connection.endOfFlushedWAL() > before)
            }
            #expect(pool.statistics.sharedCommits == 0 && pool.statistics.durableCommits == 0)
        }
    }

    /// A write that changes nothing tells that another did what it asks for, such as a second like by another device.
    @Test(arguments: [CommitSharing.off, .whereTheyWait, .always])
    func anAnswerWithoutAWriteIsDurableToo(_ sharing: CommitSharing) async throws {
        try await withCluster(sharing) { _, pool, connection in
            try await connection.execute(script: "set synchronous_commit = off")
            var written: Int64
            // On a busy machine, the WAL writer may wake up between the write and the question.
            repeat {
                try await connection.execute(
                    script: "insert into t values (1, '') on conflict (id) do update set viewer = excluded.viewer")
                written = try await connection.endOfWAL()
            } while try await connection.endOfFlushedWAL() >= written
            var segment = Segment(["select id from t"])
            segment.commit = .mayBeShared
            #expect(try await pool.run(segment)[0].count == 1)
            #expect(try await connection.endOfFlushedWAL() >= written)
        }
    }

    // MARK: Together

    @Test func writesAtOnceShareCommitsAndKeepTheirSettings() async throws {
        try await withCluster(.whereTheyWait) { _, pool, _ in
            let pending = (1...200).map { pool.start(Self.insert(Int64($0), refuses: $0 % 10 == 0)) }
            for (index, pending) in pending.enumerated() {
                if (index + 1) % 10 == 0 {
                    await #expect(throws: PostgresError.self) { _ = try await pending.value }
                } else {
                    _ = try await pending.value
                }
            }
            let statistics = pool.statistics
            #expect(statistics.sharedCommits > 100 && statistics.durableCommits < statistics.sharedCommits)
            #expect(statistics.inFlight == 0 && statistics.waiting == 0)
            #expect(try await pool.run(Self.count) == [180])
            let mixed = Query("select count(*) from t where viewer <> id::text") { $0.int64(0) }
            #expect(try await pool.run(mixed) == [0])
            let sessions = Query("select current_setting('synchronous_commit')") { $0.string(0) }
            for _ in 0..<8 { #expect(try await pool.run(sessions) == ["on"]) }
        }
    }

    // MARK: Between the commit and the durable commit

    /// The durable commit waits for a standby that does not exist.
    @Test func anAnswerWaitsForTheDurableCommit() async throws {
        try await withCluster(.always) { _, pool, connection in
            try await connection.require(standby: "missing")
            let answered = Acknowledged()
            let answer = Task {
                _ = try await pool.run(Self.insert(1))
                answered.ids.withLock { _ = $0.insert(1) }
            }
            let waits = try await eventually { try await connection.waiting().count == 1 }
            #expect(waits)
            // Others see the row, which is committed.
            #expect(try await connection.run(Self.count) == [1])
            #expect(answered.ids.withLock { $0.isEmpty })
            try await connection.require(standby: "")
            try await answer.value
        }
    }

    @Test func aLostConnectionLeavesTheOutcomeUnknown() async throws {
        try await withCluster(.always) { _, pool, connection in
            try await connection.require(standby: "missing")
            let pending = (1...3).map { pool.start(Self.insert(Int64($0))) }
            let waits = try await eventually {
                let waiting = try await connection.waiting().count
                return waiting == 1 && pool.statistics.sharedCommits == 3
            }
            #expect(waits)
            try await connection.execute("select pg_terminate_backend(\(connection.waiting()[0]))")
            for pending in pending {
                do {
                    _ = try await pending.value
                    Issue.record("answered")
                } catch PostgresError.connectionLost(let outcomeUnknown) {
                    #expect(outcomeUnknown)
                }
            }
            try await connection.require(standby: "")
            // The retry finds what the first attempt did.
            do {
                _ = try await pool.run(Self.insert(1))
                Issue.record("inserted twice")
            } catch PostgresError.constraint("t_pkey") {}
            #expect(try await connection.run(Self.count) == [3])
        }
    }

    @Test func aDeadlineEndsTheWait() async throws {
        try await withCluster(.always) { _, pool, connection in
            try await connection.require(standby: "missing")
            do {
                _ = try await pool.start(Self.insert(1), deadline: .milliseconds(100)).value
                Issue.record("answered")
            } catch PostgresError.timeout {}
            try await connection.require(standby: "")
            let isIdle = try await eventually { pool.statistics.inFlight == 0 }
            #expect(isIdle)
            #expect(try await pool.run(Self.count) == [1])
        }
    }

    // MARK: Crashes

    enum Crash: CaseIterable {
        /// All of PostgreSQL ends at once, and is started again.
        case immediateShutdown
        /// One backend is killed, so that PostgreSQL ends all sessions and recovers.
        case killedBackend
    }

    private final class Acknowledged: Sendable {
        let ids = Mutex<Set<Int64>>([])
    }

    /// Shows that the clusters of these tests lose what is not flushed.
    @Test func aCrashLosesWhatIsNotFlushed() async throws {
        let isLost = try await eventually {
            var rows: [Int64] = []
            try await withCluster(.off) { cluster, _, connection in
                try await connection.execute(script: "set synchronous_commit = off; insert into t values (1, '')")
                cluster.stop()
                let restarted = try cluster.restart()
                defer { restarted.stop() }
                rows = try await Self.ids(restarted)
            }
            return rows.isEmpty
        }
        #expect(isLost)
    }

    @Test(arguments: Crash.allCases)
    func aCrashLosesNoAcknowledgedWrite(_ crash: Crash) async throws {
        for _ in 0..<2 {
            try await withCluster(.whereTheyWait) { cluster, pool, connection in
                let acknowledged = Acknowledged()
                let writers = (0..<32).map { writer in
                    Task {
                        var failures = 0
                        for number in 0..<2_000 where failures < 3 {
                            let id = Int64(number * 32 + writer)
                            do {
                                _ = try await pool.run(Self.insert(id))
                                acknowledged.ids.withLock { _ = $0.insert(id) }
                            } catch { failures += 1 }
                        }
                    }
                }
                let isBusy = try await eventually {
                    acknowledged.ids.withLock { $0.count } > 300 && pool.statistics.sharedCommits > 100
                }
                #expect(isBusy)
                switch crash {
                case .immediateShutdown: cluster.stop()
                case .killedBackend: try await kill(connection.anotherBackend(), SIGKILL)
                }
                if crash == .immediateShutdown { await pool.shutdown(limit: .zero) }
                for writer in writers { await writer.value }
                let restarted = crash == .immediateShutdown ? try cluster.restart() : cluster
                let rows = Set(try await Self.ids(restarted))
                let lost = acknowledged.ids.withLock { $0.subtracting(rows) }
                #expect(lost.isEmpty, "\(lost.count) of \(rows.count) were acknowledged and lost")
                if crash == .immediateShutdown { restarted.stop() }
            }
        }
    }

    private static func ids(_ cluster: ThrowawayCluster) async throws -> [Int64] {
        var connection: DedicatedConnection?
        let isUp = try await eventually {
            connection = try? await DedicatedConnection.open(ConnectionConfiguration(cluster.connectionString))
            return connection != nil
        }
        #expect(isUp)
        let rows = try await connection?.run(Query("select id from t") { $0.int64(0) })
        await connection?.close()
        return rows ?? []
    }
}

extension DedicatedConnection {
    fileprivate func endOfWAL() async throws -> Int64 {
        try await run(Query("select (pg_current_wal_insert_lsn() - '0/0')::bigint") { $0.int64(0) })[0]
    }

    fileprivate func endOfFlushedWAL() async throws -> Int64 {
        try await run(Query("select (pg_current_wal_flush_lsn() - '0/0')::bigint") { $0.int64(0) })[0]
    }

    /// Makes durable commits wait for a standby of this name; empty for none.
    fileprivate func require(standby name: String) async throws {
        try await execute(script: "set synchronous_commit = local")
        try await execute(
            script: name.isEmpty
                ? "alter system reset synchronous_standby_names"
                : "alter system set synchronous_standby_names = 'missing'")
        try await execute("select pg_reload_conf()")
        let names = Query("select current_setting('synchronous_standby_names')") { $0.string(0) }
        let isSet = try await eventually { try await run(names) == [name] }
        #expect(isSet)
        // The checkpointer tells all sessions of the standby. It reads its settings before each checkpoint.
        for _ in 0..<2 { try await execute(script: "checkpoint") }
    }

    /// The backends that wait for a standby.
    fileprivate func waiting() async throws -> [Int32] {
        let waiting: SQL = "select pid from pg_stat_activity where wait_event = 'SyncRep'"
        return try await run(Query(waiting) { $0.int32(0) })
    }

    fileprivate func anotherBackend() async throws -> pid_t {
        let other: SQL = """
            select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1
            """
        return try await run(Query(other) { $0.int32(0) })[0]
    }
}
