/// A statement that has been sent. A single task may await its rows, and decodes them.
public struct PendingRows<S: Statement>: Sendable {
    @usableFromInline let statement: S
    @usableFromInline let request: Request

    @usableFromInline
    init(statement: S, request: Request) {
        self.statement = statement
        self.request = request
    }

    /// Throws `PostgresError`, `CancellationError`, or the error of `decode`.
    /// Cancelling the task ends the wait; the statement still runs.
    @inlinable
    public var value: [S.Output] {
        get async throws {
            try await Rows(request.result(), from: .segment(request, statement: 0)).decoded(by: statement)
        }
    }
}

/// A segment that has been sent. A single task may await its rows.
public struct PendingSegment: Sendable {
    let request: Request

    /// The rows of each statement without those of the settings. Throws `PostgresError` or `CancellationError`.
    public var value: [Rows] {
        get async throws {
            try await request.allResults().enumerated().map { index, result in
                Rows(result, from: .segment(request, statement: index))
            }
        }
    }
}
