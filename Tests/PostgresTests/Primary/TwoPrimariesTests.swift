import Testing

@testable import Postgres
import TestPostgres

/// A standby is promoted while the old primary goes on, as when the program that should stop it hangs.
@Suite struct TwoPrimariesTests {
    private struct Primaries {
        let old: ThrowawayCluster
        let new: ThrowawayCluster

        init() throws {
            old = try ThrowawayCluster.start()
            new = try old.standby()
        }

        /// The old one stands first.
        var url: String {
            "host=\(old.directory),\(new.directory) port=, user=postgres dbname=postgres"
        }

        func remove() {
            for cluster in [old, new] {
                cluster.stop()
                cluster.remove()
            }
        }
    }

    private struct DataDirectory: Statement {
        var sql: SQL { "select current_setting('data_directory')" }
        func decode(_ row: Row) -> String { row.string(0) }
    }

    private func pool(_ url: String, _ timeline: PrimaryTimeline, connections: Int = 2) -> Pool {
        var configuration = PoolConfiguration(ConnectionConfiguration(url), connections: connections)
        configuration.connection.timeline = timeline
        configuration.patience = .seconds(30)
        configuration.deadline = .seconds(60)
        return Pool(configuration)
    }

    /// Statements in flight when the session ends may fail; a later one is answered.
    private func directory(of pool: Pool) async throws -> String {
        while true {
            do { return try await pool.run(DataDirectory())[0] } catch PostgresError.connectionLost {}
        }
    }

    @Test func onceOneSessionHasSeenTheNewPrimaryNoneReadsFromTheOld() async throws {
        let primaries = try Primaries()
        defer { primaries.remove() }
        let timeline = PrimaryTimeline()
        let read = pool(primaries.url, timeline)
        #expect(try await directory(of: read) == "\(primaries.old.directory)/data")
        let lent = pool(primaries.url, timeline, connections: 1)
        try primaries.new.promote()
        #expect(try await directory(of: read) == "\(primaries.old.directory)/data")
        try await lent.withConnection { (connection: Connection) async throws -> Void in
            #expect(try await connection.run(DataDirectory()) == ["\(primaries.old.directory)/data"])
            let other = pool(primaries.new.connectionString, timeline, connections: 1)
            #expect(try await directory(of: other) == "\(primaries.new.directory)/data")
            // From here on no answer may come from the old primary.
            await #expect(throws: PostgresError.self) { try await connection.run(DataDirectory()) }
            await other.shutdown()
        }
        #expect(try await directory(of: read) == "\(primaries.new.directory)/data")
        #expect(try await directory(of: lent) == "\(primaries.new.directory)/data")
        await read.shutdown()
        await lent.shutdown()
    }

    @Test func theWatchFindsTheNewPrimary() async throws {
        let primaries = try Primaries()
        defer { primaries.remove() }
        let timeline = PrimaryTimeline()
        let read = pool(primaries.url, timeline)
        let watch = PrimaryWatch(ConnectionConfiguration(primaries.url), timeline)
        #expect(try await directory(of: read) == "\(primaries.old.directory)/data")
        let (notified, notify) = AsyncStream.makeStream(of: String.self)
        var listening = ConnectionConfiguration(primaries.url)
        listening.timeline = timeline
        let (connected, connect) = AsyncStream.makeStream(of: Void.self)
        let listener = NotificationListener(listening, channels: ["news"], onConnect: { connect.yield() }) {
            notify.yield($0.payload)
        }
        var connections = connected.makeAsyncIterator()
        _ = await connections.next()
        try primaries.new.promote()
        while try await directory(of: read) != "\(primaries.new.directory)/data" {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(timeline.order(of: 2) == [1, 0])
        // The listener hears the new primary, too.
        _ = await connections.next()
        let other = try await DedicatedConnection.open(ConnectionConfiguration(primaries.new.connectionString))
        try await other.execute(script: "select pg_notify('news', 'of the new')")
        var notifications = notified.makeAsyncIterator()
        #expect(await notifications.next() == "of the new")
        await other.close()
        listener.stop()
        watch.stop()
        await read.shutdown()
    }
}
