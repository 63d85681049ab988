/// A connection of a pool that its holder has alone, for transactions of several steps.
///
/// When the connection is lost, every further call on it throws; it never goes on in another session.
public final class Connection: Sendable {
    private let pool: Pool
    private let connection: PipelineConnection
    private let generation: Int

    fileprivate init(pool: Pool, connection: PipelineConnection) {
        self.pool = pool
        self.connection = connection
        generation = connection.lock.withLock { connection.generation }
    }

    public func start<S: Statement>(_ statement: S, deadline: Duration? = nil) -> PendingRows<S> {
        PendingRows(statement: statement, request: send(statement.sql, deadline))
    }

    public func run<S: Statement>(_ statement: S, deadline: Duration? = nil) async throws -> [S.Output] {
        try await start(statement, deadline: deadline).value
    }

    @discardableResult
    public func execute(_ sql: SQL, deadline: Duration? = nil) async throws -> Rows {
        try await Rows(send(sql, deadline).result())
    }

    /// Commits when `body` returns, rolls back when it throws.
    public func transaction<R: Sendable>(_ body: (Connection) async throws -> R) async throws -> R {
        do {
            try await execute("begin")
            let result = try await body(self)
            try await execute("commit")
            return result
        } catch {
            // A task of its own, since this one may have been cancelled.
            await Task { _ = try? await execute("rollback") }.value
            throw error
        }
    }

    private func send(_ sql: SQL, _ deadline: Duration?) -> Request {
        let now = Instant.now()
        let request = Request(
            settings: nil, first: sql, rest: [], now: now,
            deadline: now + (deadline ?? pool.configuration.deadline), isExclusive: true)
        pool.observe(request)
        if request.hasTooManyParameters {
            request.finish(.failure(PostgresError.tooManyParameters))
        } else if !pool.transmit(request, on: connection, generation: generation) {
            request.finish(.failure(PostgresError.connectionLost(outcomeUnknown: false)))
        }
        return request
    }
}

extension Pool {
    /// Waits in order for a connection and lends it to `body`. For pools with one segment in flight a connection:
    /// on a shared pool it waits until one has nothing in flight.
    public func withConnection<R: Sendable>(
        deadline: Duration? = nil, _ body: (Connection) async throws -> R
    ) async throws -> R {
        let now = Instant.now()
        let reservation = Request(
            settings: nil, first: nil, rest: [], now: now,
            deadline: now + (deadline ?? configuration.deadline), isExclusive: true)
        dispatch(reservation)
        _ = try await reservation.allResults()
        guard let reserved = reservation.reserved else { throw PostgresError.unavailable }
        defer { release(reserved) }
        return try await body(Connection(pool: self, connection: reserved))
    }
}
