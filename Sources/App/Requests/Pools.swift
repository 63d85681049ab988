import Postgres

/// The connections by role and lane; requests run on `read`, `write` and `slow` as the unprivileged server role.
public struct Pools: Sendable {
    public var read: Pool
    public var write: Pool
    /// What takes long for one statement: it must not stand before others.
    public var slow: Pool
    /// As the worker role: signing in, refreshing, sweeping.
    public var worker: Pool

    /// How the statements are planned: once a connection, since they are written so that one plan suits all values.
    /// Planning a page of the feed anew takes three times as long as reading it. Their data are in memory.
    public static let sessionParameters = [
        (name: "plan_cache_mode", value: "force_generic_plan"), (name: "random_page_cost", value: "1.1"),
        (name: "jit", value: "off"),
    ]

    /// Of `slow`: planned for the values of each statement, which tell how much it will find.
    public static let slowSessionParameters =
        [(name: "plan_cache_mode", value: "force_custom_plan")] + sessionParameters.dropFirst()

    public init(read: Pool, write: Pool, slow: Pool, worker: Pool) {
        self.read = read
        self.write = write
        self.slow = slow
        self.worker = worker
    }

    public func shutdown() async {
        await read.shutdown()
        await write.shutdown()
        await slow.shutdown()
        await worker.shutdown()
    }
}
