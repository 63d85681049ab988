/// Connections in pipeline mode that callers share.
///
/// A call sends by itself, on the connection with the least in flight, and returns; one thread reads all
/// connections and resumes the callers. When every connection has its fill, calls wait in order.
/// The pool lives until `shutdown()`, also without a reference to it.
public final class Pool: Sendable {
    public let configuration: PoolConfiguration
    private let driver: PoolDriver

    /// Begins to connect, and does not wait for it.
    public init(_ configuration: PoolConfiguration) {
        self.configuration = configuration
        driver = PoolDriver(configuration)
    }

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

    /// Runs a segment, and up to three times more where a serialization failure or a deadlock undid it, after 5 to 40 ms
    /// each. Throws `PostgresError` and `CancellationError`.
    public func retrying(_ segment: Segment) async throws -> [Rows] {
        var triesLeft = 3
        while true {
            do {
                return try await run(segment)
            } catch let error as PostgresError where error.isRetryable && triesLeft > 0 {
                triesLeft -= 1
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...40)))
            }
        }
    }

    /// Waits in order for a connection and lends it to `body`. For pools with one segment in flight a connection:
    /// on a shared pool it waits until one has nothing in flight.
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

    /// Takes no more calls, waits for those in flight for at most `limit`, and closes the connections.
    public func shutdown(limit: Duration = .seconds(5)) async { await driver.shutdown(limit: limit) }

    // MARK: Requests

    @usableFromInline
    func start(settings: SQL?, first: SQL?, rest: [SQL], deadline: Duration?) -> Request {
        let now = Instant.now()
        let request = Request(
            settings: settings, first: first, rest: rest, deadline: now + (deadline ?? configuration.deadline))
        observe(request)
        driver.dispatch(request, now: now)
        return request
    }

    /// Sends on a connection that `withConnection` has lent.
    func start(_ sql: SQL, on lease: Lease, deadline: Duration?) -> Request {
        let now = Instant.now()
        let request = Request(
            settings: nil, first: sql, rest: [], deadline: now + (deadline ?? configuration.deadline),
            isExclusive: true)
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
