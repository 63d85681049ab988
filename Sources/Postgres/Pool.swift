/// A pool of connections in pipeline mode, which callers share.
///
/// A call sends its statements itself, on the connection with the fewest segments in flight. One thread reads the
/// answers of all connections and resumes the callers. When every connection has `maxInFlight` segments, calls wait in
/// order. The pool runs until `shutdown()`, even without a reference to it.
public final class Pool: Sendable {
    public let configuration: PoolConfiguration
    private let driver: PoolDriver

    /// Begins to connect in the background.
    public init(_ configuration: PoolConfiguration) {
        self.configuration = configuration
        driver = PoolDriver(configuration)
    }

    /// Sends a statement at once. The caller may await its rows later.
    public func start<S: Statement>(
        _ statement: S, settings: SQL? = nil, deadline: Duration? = nil
    ) -> PendingRows<S> {
        PendingRows(
            statement: statement,
            request: start(
                settings: settings, first: statement.sql, rest: [], deadline: deadline, source: .type(S.self)))
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
                rest: segment.statements.count > 1 ? Array(segment.statements.dropFirst()) : [], deadline: deadline,
                source: segment.source))
    }

    public func run(_ segment: Segment, deadline: Duration? = nil) async throws -> [Rows] {
        try await start(segment, deadline: deadline).value
    }

    /// Runs a segment. After a serialization failure or a deadlock it runs the segment again, up to three times, after
    /// 5 to 40 ms each. Throws `PostgresError` and `CancellationError`.
    public func retrying(_ segment: Segment) async throws -> [Rows] { try await retrying { try await run(segment) } }

    /// Runs a transaction as `retrying(_:)` runs a segment: `body` again from its beginning.
    public func retrying<R>(_ body: () async throws -> R) async throws -> R {
        var triesLeft = 3
        while true {
            do {
                return try await body()
            } catch let error as PostgresError where error.isRetryable && triesLeft > 0 {
                triesLeft -= 1
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...40)))
            }
        }
    }

    /// Waits in order for a connection without segments in flight, and lends it to `body`. It is meant for pools with a
    /// `maxInFlight` of 1, since a connection of another pool may have segments in flight for long.
    public func withConnection<R: Sendable>(
        deadline: Duration? = nil, _ body: (Connection) async throws -> R
    ) async throws -> R {
        let now = Instant.now()
        let reservation = Request(
            settings: nil, first: nil, rest: [], deadline: now + (deadline ?? configuration.deadline),
            isExclusive: true)
        driver.dispatch(reservation, now: now)
        _ = try await reservation.allResults()
        guard let lease = reservation.lease else { throw PostgresError.unavailable }
        defer { driver.release(lease) }
        return try await body(Connection(pool: self, lease: lease))
    }

    public var statistics: PoolStatistics { driver.statistics }

    /// Refuses new calls, waits for at most `limit` for those in flight, and closes the connections.
    public func shutdown(limit: Duration = .seconds(5)) async { await driver.shutdown(limit: limit) }

    // MARK: Requests

    private func start(
        settings: SQL?, first: SQL?, rest: [SQL], deadline: Duration?, source: SegmentSource
    ) -> Request {
        let now = Instant.now()
        let request = Request(
            settings: settings, first: first, rest: rest, deadline: now + (deadline ?? configuration.deadline),
            source: source, columnFaults: configuration.columnFaults, trace: StatementTrace.current?.began(source))
        observe(request)
        driver.dispatch(request, now: now)
        return request
    }

    /// Sends a statement on a connection that `withConnection` has lent.
    func start(_ sql: SQL, on lease: Lease, deadline: Duration?, source: SegmentSource) -> Request {
        let now = Instant.now()
        let request = Request(
            settings: nil, first: sql, rest: [], deadline: now + (deadline ?? configuration.deadline),
            source: source, isExclusive: true, columnFaults: configuration.columnFaults,
            trace: StatementTrace.current?.began(source))
        observe(request)
        driver.dispatch(request, on: lease, now: now)
        return request
    }

    private func observe(_ request: Request) {
        guard let observer = configuration.observer else { return }
        let sql = (request.first.map { [$0] } ?? []) + request.rest
        observer(SegmentStarted(pool: configuration.name, settings: request.settings?.text, sql: sql))
    }
}
