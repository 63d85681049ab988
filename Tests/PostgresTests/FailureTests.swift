import Glibc
import Postgres
import TestPostgres
import Testing

@Suite(.serialized) struct FailureTests {
    private struct BackendPID: Statement {
        var sql: SQL { "select pg_backend_pid()" }
        func decode(_ row: Row) -> Int32 { row.int32(0) }
    }
    private static let quick = Query("select 1") { $0.int32(0) }

    @Test func killedBackendFailsWhatIsInFlightAndThePoolRecovers() async throws {
        let url = try await TestPostgres.shared.database()
        let killer = try await DedicatedConnection.open(ConnectionConfiguration(url))
        try await withPool(connections: 2, on: url) { pool in
            let connected = try await eventually { pool.statistics.connectionsUp == 2 }
            #expect(connected)
            // The first two go to different connections, and hold up what comes behind them.
            let pending = (0..<200).map { number in
                pool.start(number < 2 ? Query("select 1 from pg_sleep(2)") { $0.int32(0) } : Self.quick)
            }
            try await killer.execute(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()
                """)
            var succeeded = 0
            var lost = 0
            for pending in pending {
                do {
                    _ = try await pending.value
                    succeeded += 1
                } catch PostgresError.connectionLost { lost += 1 }
            }
            #expect(succeeded + lost == 200 && lost > 0, "\(succeeded) succeeded, \(lost) were lost")
            let recovered = try await eventually { pool.statistics.connectionsUp == 2 }
            #expect(recovered)
            #expect(try await pool.run(Self.quick) == [1])
            #expect(pool.statistics.inFlight == 0 && pool.statistics.connectionsLost >= 1)
        }
    }

    /// Runs `fail` with a pool of one connection and a statement that cannot end: it has to fail its waiter. Then lets
    /// the statement end, and expects that the connection lives on.
    private func whileAStatementRuns(_ fail: (Pool, Query<Int32>) async throws -> Void) async throws -> PoolStatistics {
        let url = try await TestPostgres.shared.database()
        let holder = try await DedicatedConnection.open(ConnectionConfiguration(url))
        return try await withPool(connections: 1, on: url) { pool in
            let pid = try await pool.run(BackendPID())
            try await holder.execute("select pg_advisory_lock(1)")
            try await fail(pool, Query("select 1 from pg_advisory_xact_lock(1)") { $0.int32(0) })
            #expect(pool.statistics.inFlight == 1)
            try await holder.execute("select pg_advisory_unlock(1)")
            #expect(try await pool.run(BackendPID()) == pid)
            return pool.statistics
        }
    }

    @Test func deadlineFailsTheWaiterAndSparesTheConnection() async throws {
        let statistics = try await whileAStatementRuns { pool, statement in
            await #expect(throws: PostgresError.self) {
                _ = try await pool.run(statement, deadline: .milliseconds(50))
            }
        }
        #expect(statistics.timeouts == 1)
    }

    @Test func cancelledTaskResumesEarlyAndSparesTheConnection() async throws {
        _ = try await whileAStatementRuns { pool, statement in
            let task = Task { try await pool.run(statement) }
            while pool.statistics.inFlight == 0 { try await Task.sleep(for: .milliseconds(1)) }
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }
    }

    @Test func statementTimeoutFailsItsOwnSegmentOnly() async throws {
        try await withPool(connections: 1) {
            $0.connection.statementTimeout = .milliseconds(100)
        } _: { pool in
            let before = pool.start(Self.quick)
            let slow = pool.start(Query("select pg_sleep(2), 1") { $0.int32(1) })
            let after = pool.start(Self.quick)
            let first = try await before.value
            let error = await #expect(throws: PostgresError.self) { _ = try await slow.value }
            #expect(error?.sqlstate == .queryCanceled)
            let last = try await after.value
            #expect(first == [1] && last == [1])
        }
    }

    @Test func frozenBackendIsGivenUp() async throws {
        try await withPool(connections: 1) {
            $0.deadline = .milliseconds(200)
            $0.grace = .milliseconds(200)
        } _: { pool in
            // On a busy machine the first answer may miss the deadline as well.
            var first: Int32?
            _ = try await eventually {
                first = try? await pool.run(BackendPID())[0]
                return first != nil
            }
            let pid = try #require(first)
            kill(pid, SIGSTOP)
            defer { kill(pid, SIGCONT) }
            let pending = (0..<3).map { _ in pool.start(Self.quick) }
            for pending in pending {
                let error = await #expect(throws: PostgresError.self) { _ = try await pending.value }
                if case .timeout? = error {} else { Issue.record("\(String(describing: error))") }
            }
            let recovered = try await eventually {
                guard let current = try? await pool.run(BackendPID()) else { return false }
                return current != [pid]
            }
            #expect(recovered)
        }
    }

    @Test func stoppedServerIsUnavailableAndComesBack() async throws {
        let cluster = try ThrowawayCluster.start()
        defer { cluster.remove() }
        try await withPool(connections: 2, on: cluster.connectionString) {
            $0.patience = .milliseconds(200)
        } _: { pool in
            #expect(try await pool.run(Self.quick) == [1])
            let pending = (0..<20).map { _ in pool.start(Query("select pg_sleep(1), 1") { $0.int32(1) }) }
            cluster.stop()
            for pending in pending { await #expect(throws: PostgresError.self) { _ = try await pending.value } }
            let start = ContinuousClock.now
            let error = await #expect(throws: PostgresError.self) { _ = try await pool.run(Self.quick) }
            if case .unavailable? = error {} else { Issue.record("\(String(describing: error))") }
            #expect(ContinuousClock.now - start < .seconds(15))
            let restarted = try cluster.restart()
            defer { restarted.stop() }
            let recovered = try await eventually { (try? await pool.run(Self.quick)) == [1] }
            #expect(recovered)
        }
    }

    @Test func shutdownWaitsForWhatIsQueued() async throws {
        let pool = Pool(
            PoolConfiguration(
                ConnectionConfiguration(try await TestPostgres.shared.database()), connections: 1, maxInFlight: 1))
        let pending = (0..<5).map { _ in pool.start(Query("select 1 from pg_sleep(0.02)") { $0.int32(0) }) }
        await pool.shutdown()
        for pending in pending { #expect(try await pending.value == [1]) }
    }

    @Test func tooManyParametersHarmNobody() async throws {
        try await withPool(connections: 1) { pool in
            let pid = try await pool.run(BackendPID())
            var sql: SQL = "select 1"
            for _ in 0..<3 { sql = "\(sql), \(1)" }
            while sql.text.utf8.count < 1_500_000 { sql = "\(sql) \(unsafe: "/*")\(1)\(sql)\(unsafe: "*/")" }
            let error = await #expect(throws: PostgresError.self) { _ = try await pool.run(Segment([sql])) }
            if case .tooManyParameters? = error {} else { Issue.record("\(String(describing: error))") }
            #expect(try await pool.run(BackendPID()) == pid)
        }
    }

    @Test func shutDownPoolTakesNothing() async throws {
        let pool = try await withPool { pool in
            _ = try await pool.run(Self.quick)
            return pool
        }
        let error = await #expect(throws: PostgresError.self) { _ = try await pool.run(Self.quick) }
        if case .unavailable? = error {} else { Issue.record("\(String(describing: error))") }
        #expect(pool.statistics.connectionsUp == 0)
    }
}
