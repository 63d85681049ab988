/// A statement that has been sent. Its rows are decoded in the task that awaits them; one task awaits.
public struct PendingRows<S: Statement>: Sendable {
    @usableFromInline let statement: S
    @usableFromInline let request: Request

    @usableFromInline
    init(statement: S, request: Request) {
        self.statement = statement
        self.request = request
    }

    /// Throws `PostgresError`, `CancellationError`, or the error of `decode`.
    /// A cancelled task gives up waiting; a statement that it has sent still runs.
    @inlinable
    public var value: [S.Output] {
        get async throws { try await Rows(request.result()).decoded(by: statement) }
    }
}

/// A segment that has been sent. One task awaits it.
public struct PendingSegment: Sendable {
    let request: Request

    /// The rows of each statement, the settings left out. Throws `PostgresError` or `CancellationError`.
    public var value: [Rows] {
        get async throws { try await request.allResults().map { Rows($0) } }
    }
}
