import Postgres

/// The pools by role and lane. Requests run on `read`, `write` and `slow` in the role `tertulia_server`.
public struct Pools: Sendable {
    /// The pool for reads. Several requests share a connection's pipeline.
    public var read: Pool
    /// The pool for mutations.
    public var write: Pool
    /// The pool for slow statements, so that no other statement waits behind them.
    public var slow: Pool
    /// The pool in the role `tertulia_worker`, for sign-in, refresh, mutations of credentials, and background work.
    public var worker: Pool

    /// The parameters of sessions. Statements are planned once a connection, because they are written so that one plan
    /// suits all values, and planning a page of the feed takes three times as long as reading it. `random_page_cost` is
    /// low because the data are in memory.
    public static let sessionParameters = [
        (name: "plan_cache_mode", value: "force_generic_plan"), (name: "random_page_cost", value: "1.1"),
        (name: "jit", value: "off"),
    ]

    /// The parameters of `slow`: statements are planned for their values, which determine how many rows they find.
    public static let slowSessionParameters =
        [(name: "plan_cache_mode", value: "force_custom_plan")] + sessionParameters.dropFirst()

    public init(read: Pool, write: Pool, slow: Pool, worker: Pool) {
        self.read = read
        self.write = write
        self.slow = slow
        self.worker = worker
    }

    /// Closes all pools.
    public func shutdown() async {
        await read.shutdown()
        await write.shutdown()
        await slow.shutdown()
        await worker.shutdown()
    }
}
