import App
import Logging
import Postgres

/// The pools of one server, by role and lane.
struct ServerPools {
    let pools: Pools
    /// The columns of another type that the pools' statements read.
    let columnFaults = ColumnFaults()

    init(url: String, sizes: PoolSizes, logger: Logger) {
        let faults = columnFaults
        pools = Pools(
            // A locked table or a slow statement holds up at most 15 others, for 20 ms before it is noticed.
            read: Self.pool(
                "read", url, role: "tertulia_server", connections: sizes.read, maxInFlight: 16,
                slowAfter: .milliseconds(20), faults: faults, logger: logger),
            // One segment in flight a connection, so that none waits behind another's lock or fsync.
            write: Self.pool(
                "write", url, role: "tertulia_server", connections: sizes.write, maxInFlight: 1,
                faults: faults, logger: logger),
            slow: Self.pool(
                "slow", url, role: "tertulia_server", connections: sizes.slow, maxInFlight: 1,
                parameters: Pools.slowSessionParameters, faults: faults, logger: logger),
            worker: Self.pool(
                "worker", url, role: "tertulia_worker", connections: sizes.worker, maxInFlight: 1,
                faults: faults, logger: logger))
    }

    /// A connection apart from the pools, because it waits for NOTIFY all the time.
    static func listening(_ url: String, logger: Logger) -> ConnectionConfiguration {
        var connection = ConnectionConfiguration(url, role: "tertulia_worker")
        connection.logger = logger
        return connection
    }

    /// Connections apart from the pools, because each probe needs a new session.
    static func probing(_ url: String, logger: Logger) -> ConnectionConfiguration {
        var connection = ConnectionConfiguration(url, role: "tertulia_server")
        connection.statementTimeout = .seconds(1)
        connection.logger = logger
        return connection
    }

    /// A connection apart from the pools, without their timeouts: an object may have a million likes to count.
    static func audit(_ url: String, logger: Logger) -> ConnectionConfiguration { listening(url, logger: logger) }

    private static func pool(
        _ name: String, _ url: String, role: String, connections: Int, maxInFlight: Int,
        slowAfter: Duration? = nil,
        parameters: [(name: String, value: String)] = Pools.sessionParameters, faults: ColumnFaults, logger: Logger
    ) -> Pool {
        var connection = ConnectionConfiguration(url, role: role)
        connection.statementTimeout = .seconds(2)
        connection.lockTimeout = .milliseconds(500)
        connection.idleInTransactionTimeout = .seconds(5)
        connection.parameters = parameters
        connection.parameters.append((name: "client_connection_check_interval", value: "1000"))
        connection.logger = logger
        var configuration = PoolConfiguration(
            connection, name: name, connections: connections, maxInFlight: maxInFlight)
        configuration.slowAfter = slowAfter
        configuration.columnFaults = faults
        return Pool(configuration)
    }
}
