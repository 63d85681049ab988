import GraphQL
import Postgres
import TestPostgres

@testable import App
@testable import ChangeFeed

/// Two servers of one database with a standby: what one writes the other reads.
struct StandbyWorld: Sendable {
    let primary: ThrowawayCluster
    let standby: ThrowawayCluster
    /// The servers' changes are tailed.
    let writer: LiveWorld
    let reader: LiveWorld
    let standbys: StandbySet
    private let servers: [World]
    private let sets: [StandbySet]
    private let onStandby: WorldDatabase

    static func with(_ body: (StandbyWorld) async throws -> Void) async throws {
        let primary = try ThrowawayCluster.start()
        defer {
            primary.stop()
            primary.remove()
        }
        let filling = try await DedicatedConnection.open(ConnectionConfiguration(primary.connectionString))
        try await WorldTemplate.fillSmall(filling)
        await filling.close()
        let standby = try primary.standby()
        defer {
            standby.stop()
            standby.remove()
        }
        await WorldGate.shared.enter()
        let world = try await StandbyWorld(primary, standby)
        do { try await body(world) } catch {
            await world.shutdown()
            throw error
        }
        await world.shutdown()
    }

    private init(_ primary: ThrowawayCluster, _ standby: ThrowawayCluster) async throws {
        (self.primary, self.standby) = (primary, standby)
        let first = try await World.make(on: primary.connectionString)
        let second = first.anotherServer(writers: 2)
        let sets = [first, second].map { Self.standbys(standby, of: $0) }
        servers = [first, second]
        self.sets = sets
        writer = try await LiveWorld(first.with { $0.standbys = sets[0] })
        reader = try await LiveWorld(second.with { $0.standbys = sets[1] })
        standbys = sets[1]
        onStandby = WorldDatabase(standby.connectionString)
        for set in sets { while try await !Self.takesReads(set) { try await Task.sleep(for: .milliseconds(10)) } }
    }

    private static func standbys(_ standby: ThrowawayCluster, of world: World) -> StandbySet {
        var connection = ConnectionConfiguration(standby.connectionString, role: "tertulia_server")
        connection.parameters = Pools.sessionParameters
        connection.logger.logLevel = .critical
        var pool = PoolConfiguration(connection, connections: 2)
        // A busy machine takes seconds to answer.
        pool.deadline = .seconds(20)
        pool.patience = .zero
        return StandbySet.ofServer(
            [.init(name: "standby", read: pool, slow: pool)], primary: world.environment.pools.worker
        ) {
            $0.maximumLag = .seconds(3600)
            $0.logger.logLevel = .critical
        }
    }

    private static func takesReads(_ set: StandbySet) async throws -> Bool {
        await set.probe()
        return set.statistics(of: 0).takesReads
    }

    func takesReads() async throws -> Bool { try await Self.takesReads(standbys) }

    private func shutdown() async {
        await writer.stop()
        await reader.stop()
        for set in sets { await set.shutdown() }
        await servers[1].environment.pools.shutdown()
        await onStandby.close()
        await servers[0].shutdown()
    }

    // MARK: Requests

    /// An answer, and where its reads ran.
    struct Read: Sendable {
        let answer: Answer
        /// The number of reads that the standby has answered.
        let onStandby: Int
        /// The number of reads that ran on the primary after a try on the standby.
        let fallbacks: Int
    }

    /// A query of the server that does not write, as a client sends it with this position.
    func read(
        _ text: String, _ variables: InputObject = InputObject(), as person: Person, after position: String? = nil
    ) async throws -> Read {
        let before = standbys.statistics(of: 0)
        let context = reader.world.context(as: person)
        context.allowStandbys(after: position)
        let answer = try Answer(try await reader.world.run(text, variables, context))
        let after = standbys.statistics(of: 0)
        return Read(
            answer: answer, onStandby: after.reads - before.reads, fallbacks: after.fallbacks - before.fallbacks)
    }

    /// A mutation, and the position with which it is answered.
    func write(_ text: String, as person: Person) async throws -> (answer: Answer, position: String?) {
        let context = writer.world.context(as: person)
        let answer = try await writer.world.ask("mutation { \(text) }", context)
        return (answer, context.positionOfWrites)
    }

    // MARK: The standby

    func pauseReplay() async throws {
        try await onStandby.use { _ = try await $0.execute("select pg_wal_replay_pause()") }
        while try await onStandby.use({ try await $0.execute("select pg_get_wal_replay_pause_state()")[0].string(0) })
            != "paused"
        { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Resumes the replay, and waits until the standby has all that the primary has.
    func resumeReplay() async throws {
        try await onStandby.use { _ = try await $0.execute("select pg_wal_replay_resume()") }
        try await catchUp()
    }

    /// Waits until the standby has passed all transactions that the primary has ended. An older one may still run.
    func catchUp() async throws {
        let last = try await servers[0].number("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1")
        let passed: SQL = "select pg_snapshot_xmin(pg_current_snapshot())"
        while Int(try await onStandby.use { try await $0.execute(passed)[0].int64(0) }) <= last {
            try await Task.sleep(for: .milliseconds(5))
        }
        await standbys.probe()
    }
}
