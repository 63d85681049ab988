import CEpoll
import Glibc
import Synchronization

/// Connections in pipeline mode that callers share.
///
/// A call sends by itself, on the connection with the least in flight, and returns; one thread reads all
/// connections and resumes the callers. When every connection has its fill, calls wait in order.
/// The threads keep the pool until `shutdown()`.
public final class Pool: @unchecked Sendable {
    public let configuration: PoolConfiguration
    let connections: [PipelineConnection]
    let epoll: Int32

    let queueLock = Lock()
    /// Guarded by `queueLock`.
    var queue = Ring<Request>()
    let waiting = Atomic<Int>(0)

    let connectorLock = Lock()
    let connectorWake: Condition
    let stopped = Atomic<Bool>(false)
    let draining = Atomic<Bool>(false)

    let up = Atomic<Int>(0)
    /// When the last connection was lost, in nanoseconds of the monotonic clock.
    let downSince = Atomic<Int64>(Instant.now().nanoseconds)
    let counters = Counters()

    struct Counters: ~Copyable, Sendable {
        let statements = Atomic<Int>(0)
        let errors = Atomic<Int>(0)
        let timeouts = Atomic<Int>(0)
        let connectionsLost = Atomic<Int>(0)
    }

    /// Begins to connect, and does not wait for it.
    public init(_ configuration: PoolConfiguration) {
        self.configuration = configuration
        connections = (0..<max(1, configuration.connections)).map(PipelineConnection.init)
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        connectorWake = Condition(connectorLock)
        startThread(named: "postgres-read") { self.readUntilStopped() }
        startThread(named: "postgres-conn") { self.connectUntilStopped() }
    }

    deinit { Glibc.close(epoll) }

    // MARK: Calls

    /// Sends a statement at once; await the rows when they are needed.
    public func start<S: Statement>(
        _ statement: S, settings: SQL? = nil, deadline: Duration? = nil
    ) -> PendingRows<S> {
        PendingRows(
            statement: statement,
            request: start(settings: settings, first: statement.sql, rest: [], deadline: deadline))
    }

    public func run<S: Statement>(
        _ statement: S, settings: SQL? = nil, deadline: Duration? = nil
    ) async throws -> [S.Output] {
        try await start(statement, settings: settings, deadline: deadline).value
    }

    /// Sends several statements at once, which succeed or fail together.
    public func start(_ segment: Segment, deadline: Duration? = nil) -> PendingSegment {
        PendingSegment(
            request: start(
                settings: segment.settings, first: segment.statements.first,
                rest: segment.statements.count > 1 ? Array(segment.statements.dropFirst()) : [], deadline: deadline))
    }

    public func run(_ segment: Segment, deadline: Duration? = nil) async throws -> [Rows] {
        try await start(segment, deadline: deadline).value
    }

    @usableFromInline
    func start(settings: SQL?, first: SQL?, rest: [SQL], deadline: Duration?) -> Request {
        let now = Instant.now()
        let request = Request(
            settings: settings, first: first, rest: rest, now: now,
            deadline: now + (deadline ?? configuration.deadline))
        observe(request)
        dispatch(request)
        return request
    }

    func observe(_ request: Request) {
        counters.statements.add(request.statementCount, ordering: .relaxed)
        guard let observer = configuration.observer else { return }
        let sql = (request.first.map { [$0] } ?? []) + request.rest
        observer(
            SegmentStarted(
                pool: configuration.name, settings: request.settings?.text, sql: sql))
    }

    private var isBusy: Bool {
        waiting.load(ordering: .sequentiallyConsistent) > 0
            || connections.contains {
                $0.load.load(ordering: .sequentiallyConsistent) % PipelineConnection.down > 0
            }
    }

    public var statistics: PoolStatistics {
        var statistics = PoolStatistics()
        statistics.connectionsUp = up.load(ordering: .relaxed)
        statistics.waiting = waiting.load(ordering: .relaxed)
        for connection in connections {
            statistics.inFlight += connection.lock.withLock { connection.inFlight.count }
        }
        statistics.statements = counters.statements.load(ordering: .relaxed)
        statistics.errors = counters.errors.load(ordering: .relaxed)
        statistics.timeouts = counters.timeouts.load(ordering: .relaxed)
        statistics.connectionsLost = counters.connectionsLost.load(ordering: .relaxed)
        return statistics
    }

    /// Takes no more calls, waits for those in flight for at most `limit`, and closes the connections.
    public func shutdown(limit: Duration = .seconds(5)) async {
        draining.store(true, ordering: .sequentiallyConsistent)
        let end = Instant.now() + limit
        while Instant.now() < end {
            if !isBusy { break }
            try? await Task.sleep(for: .milliseconds(5))
        }
        stopped.store(true, ordering: .sequentiallyConsistent)
        connectorLock.withLock { connectorWake.broadcast() }
        for connection in connections { close(connection) }
        failQueue(.unavailable) { _ in true }
    }
}
