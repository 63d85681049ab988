import App
import Logging
import Postgres

/// The pools of one server, by role and lane.
struct ServerPools {
    let pools: Pools
    /// nil where no standby is set.
    let standbys: StandbySet?
    private let watch: PrimaryWatch

    /// - Parameter timeline: shared by all connections of the server to its primary.
    init(
        url: String, timeline: PrimaryTimeline, standbys: [ServiceURL] = [], sizes: PoolSizes, sharesCommits: Bool,
        logger: Logger
    ) {
        watch = PrimaryWatch(Self.listening(url, logger: logger), timeline)
        func pool(_ configuration: PoolConfiguration) -> Pool {
            var configuration = configuration
            configuration.connection.timeline = timeline
            return Pool(configuration)
        }
        pools = Pools(
            read: pool(Self.readPool(url, sizes, logger)),
            // One segment in flight a connection, so that none waits behind another's lock or fsync.
            write: pool(
                Self.pool(
                    "write", url, role: "tertulia_server", connections: sizes.write, maxInFlight: 1,
                    commitSharing: sharesCommits ? .whereTheyWait : .off, logger: logger)),
            slow: pool(Self.slowPool(url, sizes, logger)),
            worker: pool(
                Self.pool(
                    "worker", url, role: "tertulia_worker", connections: sizes.worker, maxInFlight: 1,
                    logger: logger)))
        self.standbys = Self.standbys(standbys, primary: pools.worker, sizes, logger)
    }

    func shutdown() async {
        watch.stop()
        await standbys?.shutdown()
        await pools.shutdown()
    }

    private static func standbys(
        _ urls: [ServiceURL], primary: Pool, _ sizes: PoolSizes, _ logger: Logger
    ) -> StandbySet? {
        guard !urls.isEmpty else { return nil }
        // `StandbySet` logs that a standby takes no reads any more. Its pools would warn of the same connection again.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .error)
        let standbys = urls.map { url in
            var read = readPool(url.text, sizes, quiet)
            var slow = slowPool(url.text, sizes, quiet)
            // A read that misses this deadline is run on the primary, in the rest of the primary's deadline of 3 s.
            read.deadline = .milliseconds(500)
            slow.deadline = .milliseconds(1500)
            // A read does not wait for a standby that cannot be reached.
            read.patience = .zero
            slow.patience = .zero
            return StandbySetConfiguration.Standby(name: url.place, read: read, slow: slow)
        }
        return StandbySet.ofServer(standbys, primary: primary) { $0.logger = logger }
    }

    /// At most 15 statements are sent behind one that waits for a lock or is slow, and none once it has run for 20 ms.
    private static func readPool(_ url: String, _ sizes: PoolSizes, _ logger: Logger) -> PoolConfiguration {
        pool(
            "read", url, role: "tertulia_server", connections: sizes.read, maxInFlight: 16,
            slowAfter: .milliseconds(20), logger: logger)
    }

    private static func slowPool(_ url: String, _ sizes: PoolSizes, _ logger: Logger) -> PoolConfiguration {
        pool(
            "slow", url, role: "tertulia_server", connections: sizes.slow, maxInFlight: 1,
            parameters: Pools.slowSessionParameters, logger: logger)
    }

    /// A connection apart from the pools, because it waits for NOTIFY all the time.
    static func listening(
        _ url: String, timeline: PrimaryTimeline? = nil, logger: Logger
    ) -> ConnectionConfiguration {
        var connection = ConnectionConfiguration(url, role: "tertulia_worker")
        connection.timeline = timeline
        connection.logger = logger
        return connection
    }

    /// Connections apart from the pools, because each probe needs a new session.
    static func probing(
        _ url: String, timeline: PrimaryTimeline? = nil, logger: Logger
    ) -> ConnectionConfiguration {
        var connection = ConnectionConfiguration(url, role: "tertulia_server")
        connection.timeline = timeline
        connection.statementTimeout = .seconds(1)
        connection.logger = logger
        return connection
    }

    /// A connection apart from the pools, without their timeouts: an object may have a million likes to count.
    static func audit(_ url: String, logger: Logger) -> ConnectionConfiguration { listening(url, logger: logger) }

    private static func pool(
        _ name: String, _ url: String, role: String, connections: Int, maxInFlight: Int,
        slowAfter: Duration? = nil, commitSharing: CommitSharing = .off,
        parameters: [(name: String, value: String)] = Pools.sessionParameters, logger: Logger
    ) -> PoolConfiguration {
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
        configuration.commitSharing = commitSharing
        return configuration
    }
}
