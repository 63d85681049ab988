import NIOCore
import NIOPosix
import Postgres
import Testing

/// Requests that start on the event loops to which the connections are confined.
@Suite struct EventLoopTests {
    private struct BackendPID: Statement {
        var sql: SQL { "select pg_backend_pid()" }
        func decode(_ row: Row) -> Int32 { row.int32(0) }
    }

    /// Runs tasks on an event loop.
    private final class LoopExecutor: TaskExecutor {
        private let eventLoop: any EventLoop
        init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private static func onLoop<R: Sendable>(
        _ number: Int, of group: MultiThreadedEventLoopGroup, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        let loops = Array(group.makeIterator())
        return try await Task(executorPreference: LoopExecutor(loops[number]), operation: body).value
    }

    private static func withLoops(
        connections: Int, maxInFlight: Int = 64, _ body: (Pool, MultiThreadedEventLoopGroup) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        try await withPool(connections: connections, maxInFlight: maxInFlight) {
            $0.eventLoops = group
        } _: { pool in
            let connected = try await eventually { pool.statistics.connectionsUp == connections }
            #expect(connected)
            try await body(pool, group)
        }
        try await group.shutdownGracefully()
    }

    @Test func requestsStayOnTheConnectionsOfTheirEventLoop() async throws {
        try await Self.withLoops(connections: 2) { pool, group in
            var backends: [Int32] = []
            for number in [0, 1, 0, 1] {
                let pids = try await Self.onLoop(number, of: group) {
                    let pending = (0..<4).map { _ in pool.start(BackendPID()) }
                    var pids: [Int32] = []
                    for pending in pending { pids += try await pending.value }
                    return pids
                }
                #expect(Set(pids).count == 1)
                backends.append(pids[0])
            }
            #expect(backends[0] == backends[2] && backends[1] == backends[3] && backends[0] != backends[1])
        }
    }

    @Test func callersResumeOnTheirEventLoop() async throws {
        try await Self.withLoops(connections: 2, maxInFlight: 1) { pool, group in
            let loops = Array(group.makeIterator())
            let onLoop = loops[0]
            // Both connections are needed, and only one of them belongs to this event loop.
            let isAtHome = try await Self.onLoop(0, of: group) {
                let pending = (0..<10).map { _ in pool.start(Query("select 1 from pg_sleep(0.01)") { $0.int32(0) }) }
                var isAtHome = onLoop.inEventLoop
                for pending in pending {
                    let rows = try await pending.value
                    isAtHome = isAtHome && onLoop.inEventLoop && rows == [1]
                }
                return isAtHome
            }
            #expect(isAtHome)
        }
    }

    @Test func eventLoopBorrowsWhereItsConnectionsAreFull() async throws {
        try await Self.withLoops(connections: 2, maxInFlight: 1) { pool, group in
            let pids = try await Self.onLoop(0, of: group) {
                let pending = (0..<2).map { _ in
                    pool.start(Query("select pg_backend_pid()") { $0.int32(0) })
                }
                var pids: [Int32] = []
                for pending in pending { pids += try await pending.value }
                return pids
            }
            #expect(Set(pids).count == 2)
        }
    }

    @Test func transactionsOnABorrowedConnectionStayWhole() async throws {
        try await Self.withLoops(connections: 2, maxInFlight: 1) { pool, group in
            _ = try await pool.run(Segment(["create table t (id int)"]))
            try await Self.onLoop(0, of: group) {
                await withTaskGroup(of: Void.self) { tasks in
                    for number in 0..<20 {
                        tasks.addTask {
                            try? await pool.withConnection { connection in
                                try await connection.transaction { connection in
                                    try await connection.execute("insert into t values (\(Int32(number)))")
                                    if number % 2 == 1 { throw PostgresError.unavailable }
                                }
                            }
                        }
                    }
                }
            }
            let count = try await pool.run(Query("select count(*), count(distinct id) from t") { $0.int64(0) })
            #expect(count == [10] && pool.statistics.connectionsLost == 0)
        }
    }
}
