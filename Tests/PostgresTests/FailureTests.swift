import Glibc
import Postgres
import TestPostgres
import TestSupport
import Testing

@Suite(.serialized) struct FailureTests {
    private struct BackendPID: Statement {
        var sql: SQL { "select pg_backend_pid()" }
        func decode(_ row: Row) -> Int32 { row.int32(0) }
    }
    private static let quick = Query("select 1") { $0.int32(0) }

    @Test func killedBackendFailsWhatIsInFlightAndThePoolRecovers() async throws {
        let url = try await TestPostgres.shared.database().url
        let killer = try await DedicatedConnection.open(ConnectionConfiguration(url))
        let gate = try await Gate(on: url)
        try await withPool(connections: 2, on: url) { pool in
            try await eventually("both connections are up") { pool.statistics.connectionsUp == 2 }
            // The first two go to different connections, and hold up what comes behind them.
            let pending = (0..<200).map { pool.start($0 < 2 ? Gate.wait : Self.quick) }
            try await killer.execute(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and application_name <> 'gate' and pid <> pg_backend_pid()
                """)
            await gate.open()
            var succeeded = 0
            var lost = 0
            for pending in pending {
                do {
                    _ = try await pending.value
                    succeeded += 1
                } catch PostgresError.connectionLost { lost += 1 }
            }
            #expect(succeeded + lost == 200 && lost > 0, "\(succeeded) succeeded, \(lost) were lost")
            try await eventually("both connections are up again") { pool.statistics.connectionsUp == 2 }
            #expect(try await pool.run(Self.quick) == [1])
            #expect(pool.statistics.inFlight == 0 && pool.statistics.connectionsLost >= 1)
        }
    }

    @Test func deadlineFailsTheWaiterAndSparesTheConnection() async throws {
        let url = try await TestPostgres.shared.database().url
        let gate = try await Gate(on: url)
        try await withPool(connections: 1, on: url) { pool in
            let pid = try await pool.run(BackendPID())
            let error = await #expect(throws: PostgresError.self) {
                _ = try await pool.run(Gate.wait, deadline: .milliseconds(50))
            }
            if case .timeout? = error {} else { Issue.record("\(String(describing: error))") }
            // Only now can the statement end.
            await gate.open()
            #expect(try await pool.run(BackendPID()) == pid)
            #expect(pool.statistics.timeouts == 1)
        }
    }

    @Test func cancelledTaskResumesEarlyAndSparesTheConnection() async throws {
        let url = try await TestPostgres.shared.database().url
        let gate = try await Gate(on: url)
        try await withPool(connections: 1, on: url) { pool in
            let pid = try await pool.run(BackendPID())
            let task = Task { try await pool.run(Gate.wait) }
            try await eventually("the statement was sent") { pool.statistics.inFlight == 1 }
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            // Only now can the statement end.
            await gate.open()
            #expect(try await pool.run(BackendPID()) == pid)
        }
    }

    @Test func aStatementIsEndedByItsTimeout() async throws {
        let url = try await TestPostgres.shared.database().url
        let gate = try await Gate(on: url)
        try await withPool(connections: 1, on: url) {
            $0.connection.statementTimeout = .milliseconds(100)
        } _: { pool in
            let error = await #expect(throws: PostgresError.self) { _ = try await pool.run(Gate.wait) }
            #expect(error?.sqlstate == .queryCanceled)
        }
        await gate.open()
    }

    /// The database cancels a statement here as it does after `statementTimeout`. With a timeout the quick statements
    /// could be cancelled too, on a machine where they take as long.
    @Test func aCancelledStatementFailsItsOwnSegmentOnly() async throws {
        let url = try await TestPostgres.shared.database().url
        let gate = try await Gate(on: url)
        let canceller = try await DedicatedConnection.open(ConnectionConfiguration(url))
        try await withPool(connections: 1, on: url) { pool in
            let before = pool.start(Self.quick)
            let slow = pool.start(Gate.wait)
            let after = pool.start(Self.quick)
            try await eventually("the statement waits for the lock") {
                try await canceller.run(
                    Query(
                        """
                        select count(*) filter (where pg_cancel_backend(pid)) from pg_stat_activity
                        where datname = current_database() and wait_event = 'advisory'
                        """
                    ) { $0.int64(0) }) == [1]
            }
            let first = try await before.value
            let error = await #expect(throws: PostgresError.self) { _ = try await slow.value }
            #expect(error?.sqlstate == .queryCanceled)
            let last = try await after.value
            #expect(first == [1] && last == [1])
        }
        await canceller.close()
        await gate.open()
    }

    @Test func frozenBackendIsGivenUp() async throws {
        try await withPool(connections: 1) {
            $0.deadline = .milliseconds(200)
            $0.grace = .milliseconds(200)
        } _: { pool in
            // On a busy machine the first answer may miss the deadline as well.
            var first: Int32?
            try await eventually("an answer in time") {
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
            try await eventually("another backend answers") {
                guard let current = try? await pool.run(BackendPID()) else { return false }
                return current != [pid]
            }
        }
    }

    @Test func stoppedServerIsUnavailableAndComesBack() async throws {
        let cluster = try ThrowawayCluster.start()
        defer { cluster.remove() }
        try await withPool(connections: 2, on: cluster.connectionString) {
            $0.patience = .milliseconds(200)
        } _: { pool in
            // On a busy machine a connection may take longer than the patience.
            try await eventually("an answer") { (try? await pool.run(Self.quick)) == [1] }
            let gate = try await Gate(on: cluster.connectionString)
            let pending = (0..<20).map { _ in pool.start(Gate.wait) }
            cluster.stop()
            for pending in pending { await #expect(throws: PostgresError.self) { _ = try await pending.value } }
            await gate.open()
            // A statement that waited for its deadline instead would end with a timeout.
            let error = await #expect(throws: PostgresError.self) { _ = try await pool.run(Self.quick) }
            if case .unavailable? = error {} else { Issue.record("\(String(describing: error))") }
            let restarted = try cluster.restart()
            defer { restarted.stop() }
            try await eventually("an answer of the restarted server") { (try? await pool.run(Self.quick)) == [1] }
        }
    }

    @Test func shutdownWaitsForWhatIsQueued() async throws {
        var configuration = PoolConfiguration(
            ConnectionConfiguration(try await TestPostgres.shared.database().url), connections: 1, maxInFlight: 1)
        (configuration.patience, configuration.deadline) = (.seconds(600), .seconds(600))
        let pool = Pool(configuration)
        let pending = (0..<5).map { _ in pool.start(Query("select 1 from pg_sleep(0.02)") { $0.int32(0) }) }
        await pool.shutdown(limit: .seconds(600))
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
