import Foundation
import Glibc
import Postgres
import TestPostgres
import TestSupport
import Testing

@Suite struct ThrowawayClusterTests {
    @Test func databasesAreFreshAndCanBeCopied() async throws {
        let first = try await TestPostgres.shared.database()
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(first.url))
        try await connection.execute(script: "create table t (id int); insert into t values (1)")
        await connection.close()
        // Closing is seen by the server a moment later.
        var copy: TestDatabase?
        try await eventually("the session of the template has ended") {
            copy = try? await TestPostgres.shared.database(copying: first.name)
            return copy != nil
        }
        let second = try await DedicatedConnection.open(ConnectionConfiguration(try #require(copy).url))
        let count = try await second.execute("select count(*) from t")[0].int64(0)
        #expect(count == 1)
        let fresh = try await TestPostgres.shared.database()
        let third = try await DedicatedConnection.open(ConnectionConfiguration(fresh.url))
        let missing = try await third.execute("select to_regclass('t') is null")[0].bool(0)
        #expect(missing)
    }

    @Test func aDatabaseIsDroppedThoughASessionIsOpen() async throws {
        let database = try await TestPostgres.shared.database()
        let open = try await DedicatedConnection.open(ConnectionConfiguration(database.url))
        let other = try await DedicatedConnection.open(
            ConnectionConfiguration(TestPostgres.shared.administration()))
        let isThere: SQL = "select exists (select from pg_database where datname = \(database.name))"
        #expect(try await other.execute(isThere)[0].bool(0))
        try await database.drop()
        #expect(try await !other.execute(isThere)[0].bool(0))
        await #expect(throws: PostgresError.self) { try await open.execute("select 1") }
        await open.close()
        await other.close()
    }

    /// A connection that another test closes while the cluster still has it never ends for its peer.
    @Test func theClusterHasNoOpenFileOfTheTests() throws {
        var pipe: [CInt] = [0, 0]
        #expect(Glibc.pipe(&pipe) == 0)
        defer { for end in pipe { close(end) } }
        let cluster = try ThrowawayCluster.start()
        defer {
            cluster.stop()
            cluster.remove()
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(cluster.postmaster)/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(cluster.postmaster)/fd/\($0)")
        }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(pipe[0])")
        #expect(own.hasPrefix("pipe:") && !files.isEmpty && !files.contains(own))
    }
}
