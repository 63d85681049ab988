import Postgres
import TestPostgres

/// Decodes a row by a closure, so that a test reads in one place.
struct Query<Output: Sendable>: Statement {
    let sql: SQL
    let decoding: @Sendable (Row) throws -> Output

    init(_ sql: SQL, _ decoding: @escaping @Sendable (Row) throws -> Output) {
        self.sql = sql
        self.decoding = decoding
    }

    func decode(_ row: Row) throws -> Output { try decoding(row) }
}

/// Runs `body` with a pool on a fresh database.
func withPool<R: Sendable>(
    connections: Int = 2, maxInFlight: Int = 64, on database: String? = nil,
    _ configure: (inout PoolConfiguration) -> Void = { _ in }, _ body: (Pool) async throws -> R
) async throws -> R {
    var url = database
    if url == nil { url = try await TestPostgres.shared.database() }
    var configuration = PoolConfiguration(
        ConnectionConfiguration(url ?? ""), connections: connections, maxInFlight: maxInFlight)
    // A busy machine takes seconds to connect, and to answer.
    configuration.patience = .seconds(30)
    configuration.deadline = .seconds(30)
    configure(&configuration)
    let pool = Pool(configuration)
    do {
        let result = try await body(pool)
        await pool.shutdown()
        return result
    } catch {
        await pool.shutdown()
        throw error
    }
}

/// Waits up to two minutes for `condition`.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<12_000 {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return false
}
