/// One pool a lane.
public struct Pools: Sendable {
    public let read: Pool
    public let write: Pool
    public let slow: Pool

    public init(read: Pool, write: Pool, slow: Pool) {
        self.read = read
        self.write = write
        self.slow = slow
    }

    public subscript(lane: Lane) -> Pool {
        switch lane {
        case .read: read
        case .write: write
        case .slow: slow
        }
    }

    /// Sends a statement at once to the pool that its type declares.
    public func start<S: Statement>(
        _ statement: S, settings: SQL? = nil, deadline: Duration? = nil
    ) -> PendingRows<S> {
        self[S.lane].start(statement, settings: settings, deadline: deadline)
    }

    public func run<S: Statement>(
        _ statement: S, settings: SQL? = nil, deadline: Duration? = nil
    ) async throws -> [S.Output] {
        try await start(statement, settings: settings, deadline: deadline).value
    }

    public func shutdown(limit: Duration = .seconds(5)) async {
        async let read: Void = read.shutdown(limit: limit)
        async let write: Void = write.shutdown(limit: limit)
        async let slow: Void = slow.shutdown(limit: limit)
        _ = await (read, write, slow)
    }
}
