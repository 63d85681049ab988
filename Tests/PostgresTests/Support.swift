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
    if url == nil { url = try await TestPostgres.shared.database().url }
    var configuration = PoolConfiguration(
        ConnectionConfiguration(url ?? ""), connections: connections, maxInFlight: maxInFlight)
    // A busy machine takes long to connect and to answer. A test of a deadline sets that deadline itself.
    configuration.patience = .seconds(600)
    configuration.deadline = .seconds(600)
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

/// Holds up statements of other connections of a database, by a lock.
struct Gate {
    /// Answers with 1 once the lock is free.
    static let wait = Query("select 1 from pg_advisory_xact_lock_shared(1)") { $0.int32(0) }

    private let holder: DedicatedConnection

    /// Takes the lock.
    init(on database: String) async throws {
        var configuration = ConnectionConfiguration(database)
        configuration.applicationName = "gate"
        holder = try await DedicatedConnection.open(configuration)
        try await holder.execute("select pg_advisory_lock(1)")
    }

    /// Lets the lock go.
    func open() async { await holder.close() }
}
