import Postgres
import TestSupport
import Testing

@testable import App

/// A transaction that has a number and has not ended.
struct OpenTransaction {
    let connection: DedicatedConnection
    let number: Int64

    func commit(_ script: String) async throws {
        try await connection.execute(script: script + "; commit")
        await connection.close()
    }
}

private struct Number: Statement {
    let sql: SQL
    func decode(_ row: Row) -> Int64 { row.int64(0) }
}

/// The oldest transaction of the cluster that has not ended.
private struct OldestRunning: Statement {
    let sql: SQL = "select pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
    func decode(_ row: Row) -> Int64 { row.int64(0) }
}

extension HiddenWorld {
    /// A transaction that has a number, which is higher than those of all before it.
    func transaction() async throws -> OpenTransaction {
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(live.world.url))
        try await connection.execute(script: "begin")
        let number = try await connection.run(Number(sql: "select pg_current_xact_id()"))
        return OpenTransaction(connection: connection, number: try #require(number.first))
    }

    /// Writes, each in a transaction of its own. What may be read after a write is read before the next write.
    ///
    /// - Parameter order: for each write, the place of its transaction among the transactions as they begin.
    func perform(_ writes: [String], _ order: [Int], _ afterEach: () async throws -> Void) async throws {
        var open: [Int: OpenTransaction] = [:]
        for place in order.indices { open[place] = try await transaction() }
        for (write, place) in zip(writes, order) {
            try await open.removeValue(forKey: place)?.commit(write)
            try await waitForTail(Array(open.values))
            try await afterEach()
        }
    }

    /// Until the tail has read all that it may read while these transactions are open.
    func waitForTail(_ open: [OpenTransaction]) async throws {
        guard let oldest = open.map(\.number).min() else { return try await live.settle() }
        // Transactions in other databases of the cluster hold the tail back as well.
        try await eventually("no older transaction runs") {
            // `World.number` would wait for the notification worker, which waits for these transactions.
            try await live.world.database.use { try await $0.run(OldestRunning()) }[0] >= oldest
        }
        // A read that has begun already is followed by another.
        _ = live.world.statements.take()
        var reads = 0
        try await eventually("the tail has read twice") {
            live.world.environment.changes.signal.signal()
            let statements = live.world.statements.take().flatMap(\.statements)
            reads += statements.count { $0.contains("from change_log_history() h cross join") }
            return reads >= 2
        }
    }
}
