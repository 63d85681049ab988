/// A connection that a pool has lent to one caller, for transactions of several steps.
///
/// After its session has ended, every further call throws: calls never continue in another session.
public final class Connection: Sendable {
    private let pool: Pool
    private let lease: Lease

    init(pool: Pool, lease: Lease) {
        self.pool = pool
        self.lease = lease
    }

    public func start<S: Statement>(_ statement: S, deadline: Duration? = nil) -> PendingRows<S> {
        PendingRows(
            statement: statement,
            request: pool.start(statement.sql, on: lease, deadline: deadline, source: .type(S.self)))
    }

    public func run<S: Statement>(_ statement: S, deadline: Duration? = nil) async throws -> [S.Output] {
        try await start(statement, deadline: deadline).value
    }

    @discardableResult
    public func execute(
        _ sql: SQL, deadline: Duration? = nil, file: StaticString = #fileID
    ) async throws -> Rows {
        let request = pool.start(sql, on: lease, deadline: deadline, source: .file(file))
        return try await Rows(request.result(), from: .segment(request, statement: 0))
    }

    /// Runs `body` in a transaction. Commits when it returns, rolls back when it throws.
    public func transaction<R: Sendable>(
        file: StaticString = #fileID, _ body: (Connection) async throws -> R
    ) async throws -> R {
        do {
            try await execute("begin", file: file)
            let result = try await body(self)
            try await execute("commit", file: file)
            return result
        } catch {
            // The rollback runs in a task of its own, since the current one may have been cancelled.
            await Task { _ = try? await execute("rollback", file: file) }.value
            throw error
        }
    }
}
