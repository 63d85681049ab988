/// A statement that has been handed to a pool. A single task may await its rows, and decodes them.
public struct PendingRows<S: Statement>: Sendable {
    @usableFromInline let statement: S
    @usableFromInline let request: Request
    /// Runs the statement again on the primary if the standby fails or lags; nil for a statement sent to the primary.
    @usableFromInline let onStandby: StandbyRead?

    @usableFromInline
    init(statement: S, request: Request, onStandby: StandbyRead? = nil) {
        self.statement = statement
        self.request = request
        self.onStandby = onStandby
    }

    /// Throws `PostgresError`, `CancellationError`, or the error of `decode`.
    /// Cancelling the task ends the wait. A statement that was sent still runs; one that waits for a connection does
    /// not.
    @inlinable
    public var value: [S.Output] {
        get async throws {
            if let onStandby { return try await Rows(onStandby.result()).decoded(by: statement) }
            return try await Rows(request.result()).decoded(by: statement)
        }
    }
}

/// A segment that has been handed to a pool. A single task may await its rows.
public struct PendingSegment: Sendable {
    let request: Request

    /// The rows of each statement without those of the settings. Throws `PostgresError` or `CancellationError`.
    public var value: [Rows] {
        get async throws { try await request.allResults().map { Rows($0) } }
    }
}
